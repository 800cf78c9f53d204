import { isObject } from "../json/is-object.ts";
import { jsonIn } from "../json/json-in.ts";
import { shownUrl } from "../net/shown-url.ts";
import { callerHeaders } from "../operation/caller-headers.ts";
import type { Answer, Bare, Caller, HttpBinding, Operation } from "../operation/define.ts";
import { readErrorHeaders } from "../operation/error-headers.ts";
import { codeOfStatus, type Issue, isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { withoutReference } from "../operation/internal-error.ts";
import { isOutcomeUnknown } from "./request-errors.ts";

/** An HTTP request, independent of how it is sent. */
export interface WireRequest {
  readonly method: HttpBinding["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Aborts the request: the caller no longer waits for its answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly body: string;
  /** By their names in lower case; those of an error tell its code and its hint. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Sends one request; throws if no answer comes. */
export type Transport = (request: WireRequest) => Promise<WireAnswer>;

export interface Connection {
  /** Address with the prefix, such as `http://127.0.0.1:3111/memsvc`. */
  readonly url: string;
  readonly secret?: string | undefined;
  readonly transport: Transport;
}

/** The parts of an operation that are needed to send it. */
export interface Sendable<Op extends Operation = Operation> extends Pick<Operation, "id"> {
  readonly http?: Pick<HttpBinding, "method" | "path"> | undefined;
  readonly bare?: Pick<Bare, "field">;
  readonly operation?: Op;
}

/** What the daemon is told about the caller. */
export type CallerIdentity = Pick<Caller, "source" | "agentId" | "cwd">;

type Send = <Op extends Operation>(
  operation: Sendable<Op>,
  input: unknown,
  caller: Caller,
  signal?: AbortSignal,
) => Promise<Answer<Op["output"]>>;

/**
 * Calls operations over HTTP. Errors keep the daemon's code; a call that its signal aborts throws the signal's reason.
 */
export function callOverHttp(connection: Connection): Send {
  return async (operation, input, caller, signal) => {
    const request = { ...wireRequest(connection, operation, input, caller), signal };
    const answer = await send(connection, request);
    // The daemon has the same operation, so its answer has the declared shape.
    return answered(operation, answer, request.url) as never;
  };
}

/** The object in a daemon's answer; throws if the answer is an error. */
export function answered(
  { bare }: Pick<Sendable, "bare">,
  answer: WireAnswer,
  url: string,
): Record<string, unknown> {
  if (answer.status === 202 && answer.body === "" && bare !== undefined) return {};
  const body = jsonIn(answer.body);
  if (!isObject(body)) throw notOfMemsvc(url, answer.status);
  if (answer.status >= 400 && typeof body.error === "string") throw errorOf(answer, body.error, body);
  // Bare answers may have any status: a critical health report, or an error of the Model Context Protocol.
  const isOurs = body.success === true || (bare !== undefined && bare.field in body);
  if (!isOurs) throw notOfMemsvc(url, answer.status);
  return body;
}

async function send(connection: Connection, request: WireRequest): Promise<WireAnswer> {
  try {
    request.signal?.throwIfAborted();
    return await connection.transport(request);
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    // The transport knows why.
    if (isMemsvcError(error)) throw error;
    if (isOutcomeUnknown(error)) {
      const problem = `the memsvc daemon at ${shownUrl(connection.url)} was asked and gave no answer`;
      throw new MemsvcError("daemon_unreachable", problem, { hint: doubtHint, cause: error });
    }
    throw noDaemonAt(connection.url, error);
  }
}

export function wireRequest(
  { url, secret }: Pick<Connection, "url" | "secret">,
  operation: Sendable,
  input: unknown,
  { source, agentId, cwd }: CallerIdentity,
): WireRequest {
  const { http } = operation;
  if (http === undefined) throw new MemsvcError("internal", `${operation.id} has no route`);
  const fields = new Map(Object.entries((input ?? {}) as Record<string, unknown>));
  const path = http.path.replace(/:(\w+)/gu, (_, name: string) => {
    const value = String(fields.get(name) ?? "");
    fields.delete(name);
    return segment(name, value);
  });
  const headers = {
    Accept: "application/json",
    ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    ...(source === undefined ? {} : { "X-Memsvc-Source": source }),
    ...callerHeaders({ agentId, cwd }),
  };
  if (http.method === "GET")
    return { method: "GET", url: `${url}${path}${queryOf(fields)}`, headers, body: undefined };
  const body = JSON.stringify(Object.fromEntries(fields));
  return {
    method: http.method,
    url: `${url}${path}`,
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  };
}

/** A value as a path segment. An empty value or dots would change the path, so they are refused. */
function segment(name: string, value: string): string {
  if (!/^\.{0,2}$/u.test(value)) return encodeURIComponent(value.toWellFormed());
  const message = value === "" ? `${name} required` : `${name} must not be ${value}`;
  throw new MemsvcError("invalid_input", message, { issues: [{ path: name, message }] });
}

function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== undefined && value !== null)
      query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The error for an answer that is not from memsvc, so that nothing was done. */
export function notOfMemsvc(url: string, status: number): MemsvcError {
  return new MemsvcError(
    "daemon_unreachable",
    `${shownUrl(url)} answered ${status}, but not as memsvc does`,
    {
      hint: "another program may be listening there; check --url or MEMSVC_URL",
    },
  );
}

function errorOf(
  { status, headers = {} }: WireAnswer,
  error: string,
  { error: _, issues, ...extra }: Record<string, unknown>,
): MemsvcError {
  const sent = readErrorHeaders(headers);
  const hint = status === 401 ? secretHint : sent.hint;
  const sentence = status === 500 ? withoutReference(error) : withoutHint(error, hint);
  return new MemsvcError(sent.code ?? codeOfStatus(status), sentence, {
    issues: Array.isArray(issues) ? (issues as Issue[]) : undefined,
    hint,
    extra,
  });
}

/** The error when no request could be sent to an address. */
export function noDaemonAt(url: string, cause: unknown): MemsvcError {
  return new MemsvcError("daemon_unreachable", `no memsvc daemon answers at ${shownUrl(url)}`, {
    hint: "start it with: memsvc daemon start; if it runs elsewhere, check --url or MEMSVC_URL",
    cause,
  });
}

const doubtHint =
  "a change may have been made all the same: look before you repeat it; whether the daemon hangs tells: memsvc daemon status";

const secretHint = "set MEMSVC_SECRET to the daemon's secret, or use --secret-file";

/** Removes the hint from the end of an error message, where the daemon puts hints that are not commands. */
function withoutHint(sentence: string, hint: string | undefined): string {
  const end = `; ${hint}`;
  return hint !== undefined && sentence.endsWith(end) ? sentence.slice(0, -end.length) : sentence;
}
