import { type Context, Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import * as z from "zod";
import type { Core } from "../core.ts";
import type { Log } from "../ground.ts";
import { cleanText } from "../json/parse-json.ts";
import { defineLazyProperties } from "../lazy-properties.ts";
import { agentHeader, decodedHeader, folderHeader } from "../operation/caller-headers.ts";
import { catalogue } from "../operation/catalogue.ts";
import type { Caller, HttpBinding, Operation } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { dryRunInput, Path } from "../operation/fields.ts";
import { forAgent } from "../operation/for-agent.ts";
import { callOnBody, callOnMessage, callToText, checkCall } from "../operation/in-process.ts";
import { parseInput } from "../operation/parse.ts";
import { Semaphore } from "../semaphore.ts";
import { readBody, readBytes, streamBody } from "./body.ts";
import { docsPage, docsPageBelowSlash } from "./docs-page.ts";
import { requestGuard } from "./guard.ts";
import type { OwnPorts } from "./origins.ts";
import {
  bodilessResponse,
  errorResponse,
  htmlResponse,
  jsonResponse,
  jsonTextResponse,
  listResponse,
  streamedJsonResponse,
} from "./responses.ts";
import { RouteInput } from "./route-input.ts";
import { inRouteOrder } from "./route-order.ts";
import { defaultPrefix, hasTrailingSlash, routePath, routePrefixes } from "./route-prefixes.ts";
import { SharedExclusiveLock } from "./shared-exclusive-lock.ts";
import { viewerPage } from "./viewer-page.ts";

const maxConcurrent = 128;
const noQuery = new URLSearchParams();
const besideBody = z.object(dryRunInput);

interface AppOptions {
  readonly core: Core;
  /** Where the server listens. Read at each request, because with port 0 the port is known only after the start. */
  readonly ports: () => OwnPorts;
}

/** The HTTP face: every operation of the catalogue under the prefix and its aliases. */
export function httpApp({ core, ports }: AppOptions): Hono {
  const { settings, log } = core.ground;
  const prefixes = routePrefixes(settings);
  // The usual router makes one expression of all routes at the first request, which takes as long as that request.
  const app = new Hono({ getPath: routePath, router: new TrieRouter() });
  const guard = requestGuard(settings, log, ports);
  const semaphore = new Semaphore(maxConcurrent);
  const storeLock = new SharedExclusiveLock();
  core.snapshots.stillness = {
    keep: (work) =>
      storeLock.runExclusive(async () => {
        // They belong to the store that is replaced.
        await core.recallsNoted();
        return work();
      }),
  };
  const livezPaths = prefixes.map((prefix) => `${prefix}/livez`);
  const methods = new Map<string, Set<string>>();
  const route = (
    method: string,
    path: string,
    answer: (context: Context) => Promise<Response> | Response,
  ) => {
    const known = (methods.get(path) ?? new Set()).add(method);
    methods.set(path, method === "GET" ? known.add("HEAD") : known);
    app.on(method, path, answer);
  };

  app.use(async (context, next) => {
    const { refusal, headers } = guard(context.req.raw);
    if (refusal !== undefined) context.res = refusal;
    // Liveness must be answered even while the store is locked or all request slots are taken.
    else if (livezPaths.includes(routePath(context.req.raw))) await next();
    else
      await storeLock
        .runShared(() => semaphore.run(next))
        .catch((error: unknown) => {
          context.res = errorResponse(error, log);
        });
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  });
  app.onError((error) => errorResponse(error, log));
  app.notFound((context) => unknownRoute(context, methods, log));

  for (const operation of inRouteOrder(catalogue)) {
    const { http } = operation;
    if (http === undefined) continue;
    const answer = operationAnswer(core, operation, http);
    for (const prefix of prefixes) route(http.method, prefix + http.path, answer);
  }
  for (const prefix of prefixes) route("GET", `${prefix}/viewer`, viewerPage);
  const described = descriptions(settings.serviceName);
  for (const prefix of ["", ...prefixes]) {
    route("GET", `${prefix}/openapi.json`, async () => jsonResponse(await described.openApi, 200));
    route("GET", `${prefix}/docs`, ({ req: { raw } }) => {
      const page = hasTrailingSlash(raw) ? docsPageBelowSlash(described.docs) : described.docs;
      return htmlResponse(page, docsHeaders);
    });
  }
  return app;
}

interface Descriptions {
  readonly openApi: Promise<object>;
  readonly docs: string;
}

/**
 * The OpenAPI document and the page of all operations, built on first request: that takes longer than a start may, and
 * few programs ask for them.
 */
function descriptions(title: string): Descriptions {
  const made = {} as Descriptions;
  defineLazyProperties<Descriptions>(made, {
    openApi: async () => (await import("./openapi.ts")).openApiDocument(catalogue, defaultPrefix, title),
    docs: () => docsPage(catalogue, defaultPrefix),
  });
  return made;
}

type Answering = (context: Context) => Promise<Response>;

/** Answers requests for an operation, in the way that the operation takes and gives what is sent. */
function operationAnswer(core: Core, operation: Operation, http: HttpBinding): Answering {
  if (operation.runOnMessage !== undefined) return messageAnswer(core, operation);
  const input = new RouteInput(operation);
  return operation.runOnBody === undefined
    ? inputAnswer(core, operation, http, input)
    : bodyAnswer(core, operation, http, input);
}

function messageAnswer(core: Core, operation: Operation): Answering {
  const { maxBodyBytes } = core.ground.settings;
  return async ({ req: { raw: request } }) => {
    const body = await readBytes(request, maxBodyBytes);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const query = (name: string) => cleaned(queryOf(request).get(name));
    const reply = await callOnMessage(core, operation, { body, header, query }, callerOf(request));
    return reply.json === undefined
      ? new Response(null, { status: reply.status })
      : jsonTextResponse(reply.json, reply.status);
  };
}

function bodyAnswer(
  core: Core,
  operation: Operation,
  { success }: HttpBinding,
  input: RouteInput,
): Answering {
  const { maxImportBytes } = core.ground.settings;
  return async ({ req: { raw: request } }) => {
    const body = streamBody(request, maxImportBytes);
    const asked = parseInput(besideBody, input.read(queryOf(request), {}, {}));
    return jsonResponse(await callOnBody(core, operation, body, callerOf(request), asked), success);
  };
}

function inputAnswer(
  core: Core,
  operation: Operation,
  { method, success, otherwise }: HttpBinding,
  input: RouteInput,
): Answering {
  const { maxBodyBytes } = core.ground.settings;
  return async (context) => {
    const request = context.req.raw;
    const caller = callerOf(request);
    const body = method === "GET" ? {} : await readBody(request, maxBodyBytes);
    const read = input.read(queryOf(request), context.req.param(), body);
    // The answer to a HEAD has no body, so the read must not count as an access (`peek`).
    const isHead = request.method === "HEAD";
    const given = isHead ? { ...read, peek: true } : read;
    if (operation.runToText === undefined) {
      const output: Record<string, unknown> = { ...((await core.call(operation, given, caller)) as object) };
      return listResponse(output, otherwise?.when(output) === true ? otherwise.status : success);
    }
    if (!isHead)
      return streamedJsonResponse(await callToText(core, operation, given, caller), core.ground.log);
    await checkCall(core, operation, given, caller);
    return bodilessResponse(success);
  };
}

function queryOf({ url }: Request): URLSearchParams {
  return url.includes("?") ? new URL(url).searchParams : noQuery;
}

function callerOf({ headers, method }: Request): Caller {
  const named = headers.get("x-memsvc-source") ?? headers.get("x-agentmemory-source") ?? undefined;
  const source = method === "HEAD" ? "viewer" : named;
  const folder = cleaned(decodedHeader(headers.get(folderHeader)));
  const cwd = folder === undefined ? undefined : Path.safeParse(folder).data;
  const caller: Caller = { face: "http", source, cwd };
  return forAgent(caller, cleaned(decodedHeader(headers.get(agentHeader))));
}

/** A text from beside the body, in which an encoded NUL may be, too. */
function cleaned(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : cleanText(text);
}

/**
 * 405 with the allowed methods for a path that exists under another method; otherwise 404, which names the right path
 * when only the prefix was missing.
 */
function unknownRoute(
  context: Context,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
  log: Log,
): Response {
  const { method } = context.req;
  const path = routePath(context.req.raw);
  const methodsOf = (asked: string) => [
    ...new Set([...methods].filter(([pattern]) => matches(pattern, asked)).flatMap(([, own]) => [...own])),
  ];
  const allowed = methodsOf(path);
  if (allowed.length === 0) {
    const meant = methodsOf(defaultPrefix + path).includes(method) ? `; it is ${defaultPrefix}${path}` : "";
    return jsonResponse({ error: `no such route: ${method} ${path}${meant}` }, 404);
  }
  const answer = errorResponse(
    new MemsvcError("method_not_allowed", `${path} is not for ${method}; it takes ${allowed.join(", ")}`),
    log,
  );
  answer.headers.set("Allow", [...allowed, "OPTIONS"].join(", "));
  return answer;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => (segment.startsWith(":") ? given[at] !== "" : segment === given[at]))
  );
}

const docsHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
} as const;
