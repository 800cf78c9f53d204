import type * as z from "zod";
import { graphSettled } from "../../src/graph/structural/settled.ts";
import { httpApp } from "../../src/http/app.ts";
import { ErrorBody } from "../../src/http/error-body.ts";
import type { Operation } from "../../src/operation/define.ts";
import type { Sql } from "../../src/store/sql.ts";
import { openTestCore, type TestCore } from "./core.ts";

export const apiPort = 3111;
export const viewerPort = 3113;
const refusalFields: ReadonlySet<string> = new Set(Object.keys(ErrorBody.shape));

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON object; empty for an answer without a body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Sending {
  readonly method?: string;
  /** `undefined` removes a header that is sent by default. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** Query fields. */
  readonly query?: Readonly<Record<string, string>>;
  readonly prefix?: string;
}

export interface TestHttp extends Omit<TestCore, "call"> {
  /** Sends any request; the path is below `/memsvc` unless another prefix is given. */
  send(path: string, sending?: Sending): Promise<Reply>;
  /** Sends an operation as its declaration says and expects its success; the answer fits the declared output. */
  ok<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
    sending?: Sending,
  ): Promise<z.output<O>>;
  /** Sends an operation with any input, and returns the answer unchecked. */
  reply(operation: Operation, input: Readonly<Record<string, unknown>>, sending?: Sending): Promise<Reply>;
  /** Waits until everything is stored that is written after an answer, such as recalls. */
  settled(): Promise<void>;
}

/**
 * Opens the HTTP face over a fresh core. Requests come from this machine unless told otherwise; with `authorized` they
 * carry the secret.
 */
export async function openTestHttp(
  options: Parameters<typeof openTestCore>[0] & { readonly authorized?: true } = {},
): Promise<TestHttp> {
  // The long wait keeps slow work on a busy machine from being answered as queued: only work that hangs should be.
  const env: Record<string, string> = { MEMSVC_SYNC_WAIT_MS: "240000", ...options.env };
  const { call: _inProcess, ...opened } = await openTestCore({ ...options, env });
  const app = httpApp({ core: opened.core, ports: () => ({ api: apiPort, viewer: viewerPort }) });

  const send = async (path: string, sending: Sending = {}): Promise<Reply> => {
    const headers = new Headers({ host: `localhost:${apiPort}` });
    if (options.authorized === true) headers.set("authorization", `Bearer ${env.MEMSVC_SECRET}`);
    for (const [name, value] of Object.entries(sending.headers ?? {})) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    const query = new URLSearchParams(sending.query).toString();
    const address = `http://localhost:${apiPort}${sending.prefix ?? "/memsvc"}${path}`;
    const response = await app.request(`${address}${query === "" ? "" : `?${query}`}`, {
      method: sending.method ?? "GET",
      headers,
      ...(sending.body === undefined ? {} : { body: sending.body }),
      // Needed for bodies that are streams; the type of the fetch options does not know it yet.
      ...{ duplex: "half" },
    });
    const text = await response.text();
    const body = objectIn(text);
    const untold =
      typeof body.error === "string" ? Object.keys(body).filter((key) => !refusalFields.has(key)) : [];
    if (untold.length > 0) throw new Error(`the OpenAPI document does not tell of ${untold} in ${text}`);
    return { status: response.status, headers: response.headers, body, text };
  };

  const reply: TestHttp["reply"] = (operation, input, sending = {}) => {
    const { http } = operation;
    if (http === undefined) throw new Error(`${operation.id} has no route`);
    const inPath = new Set([...http.path.matchAll(/:(\w+)/gu)].map(([, name]) => name));
    const path = http.path.replace(/:(\w+)/gu, (_, name: string) =>
      encodeURIComponent(String(input[name]).toWellFormed()),
    );
    const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
    if (http.method === "GET") {
      const query = Object.fromEntries(rest.map(([name, value]) => [name, String(value)]));
      return send(path, { ...sending, query: { ...query, ...sending.query } });
    }
    return send(path, {
      body: JSON.stringify(Object.fromEntries(rest)),
      ...sending,
      method: http.method,
      headers: { "content-type": "application/json", ...sending.headers },
    });
  };

  return {
    ...opened,
    send,
    reply,
    ok: async (operation, input, sending) => {
      const answer = await reply(operation, input as Readonly<Record<string, unknown>>, sending);
      if (answer.status !== operation.http?.success) {
        throw new Error(`${operation.id} answered ${answer.status}: ${answer.text}`);
      }
      return operation.output.parse(answer.body);
    },
    settled: async () => {
      await opened.core.search.notes.settled();
      await opened.core.ground.store.write(async () => undefined);
    },
  };
}

function objectIn(text: string): Record<string, unknown> {
  if (!text.startsWith("{")) return {};
  return JSON.parse(text) as Record<string, unknown>;
}

interface Dump {
  readonly version: string;
  readonly tables: ReadonlyMap<string, string>;
}

const lastDumps = new WeakMap<TestCore["core"], Dump>();

/** A version of the store that changes with every commit that writes. */
export async function storeVersion({ core }: Pick<TestCore, "core">): Promise<string> {
  // Placing pending rows in the graph must not count as a change.
  await graphSettled(core.ground);
  return commitsOf({ core });
}

/** Equal at two moments only if nothing was committed between them, the placing of rows in the graph included. */
export async function commitsOf({ core }: Pick<TestCore, "core">): Promise<string> {
  // data_version counts commits of other connections; the connection for reads makes none itself.
  const [version] = await core.ground.store.read.sql.values("PRAGMA data_version");
  return String(version);
}

/** Everything in the store except some tables, as one text, which is equal for equal stores. */
export async function dumpStore(
  { core }: Pick<TestCore, "core">,
  except: readonly string[] = [],
): Promise<string> {
  const version = await storeVersion({ core });
  const { sql } = core.ground.store.read;
  let dump = lastDumps.get(core);
  if (dump?.version !== version) {
    dump = { version, tables: await tableTexts(sql) };
    lastDumps.set(core, dump);
  }
  return [...dump.tables].flatMap(([name, text]) => (except.includes(name) ? [] : [text])).join("\n");
}

async function tableTexts(sql: Sql): Promise<Map<string, string>> {
  const tables = await sql.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await sql.values(`SELECT * FROM "${name}"`);
    texts.set(name, `${name}: ${JSON.stringify(rows)}`);
  }
  return texts;
}
