import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import * as z from "zod";
import { errorCode } from "../../src/system/error-code.ts";
import { openPeerServer, type PeerServer } from "./peer-server.ts";

/*
 * A libSQL server over one file, with as much as the client library uses of version 2 of the Hrana protocol over HTTP
 * (specified in docs/HRANA_2_SPEC.md of libSQL). A stream is a connection, identified by its baton.
 */

const Value = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.string() }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob"), base64: z.string() }),
]);
type Value = z.output<typeof Value>;

const Statement = z.object({
  sql: z.string().optional(),
  sql_id: z.number().optional(),
  args: z.array(Value),
});
type Statement = z.output<typeof Statement>;

type Condition =
  | { readonly type: "ok" | "error"; readonly step: number }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] };
const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({ type: z.enum(["ok", "error"]), step: z.number() }),
    z.object({ type: z.literal("not"), cond: Condition }),
    z.object({ type: z.enum(["and", "or"]), conds: z.array(Condition) }),
  ]),
);

const Batch = z.object({ steps: z.array(z.object({ condition: Condition.optional(), stmt: Statement })) });

const Asked = z.discriminatedUnion("type", [
  z.object({ type: z.literal("execute"), stmt: Statement }),
  z.object({ type: z.literal("batch"), batch: Batch }),
  z.object({ type: z.literal("sequence"), sql: z.string().optional(), sql_id: z.number().optional() }),
  z.object({ type: z.literal("store_sql"), sql_id: z.number(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.number() }),
  z.object({ type: z.literal("close") }),
]);
type Asked = z.output<typeof Asked>;

const Pipeline = z.object({ baton: z.string().optional(), requests: z.array(Asked) });

const mostTries = 200;
/** The default limit of a libSQL server. */
const mostAnswerBytes = 10_000_000;
const tooLarge = { message: "Response is too large", code: "RESPONSE_TOO_LARGE" };

class Stream {
  readonly #database: InstanceType<typeof Database>;
  readonly #texts = new Map<number, string>();

  constructor(path: string) {
    // No busy timeout: all streams share this thread, so waiting for another stream's transaction would never end.
    this.#database = new Database(path, { timeout: 0 });
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON");
  }

  async answer(asked: Asked): Promise<object> {
    switch (asked.type) {
      case "execute":
        return { type: "execute", result: await this.#execute(asked.stmt) };
      case "batch":
        return { type: "batch", result: await this.#batch(asked.batch) };
      case "sequence": {
        const text = this.#textOf(asked);
        await whenFree(() => this.#database.exec(text));
        return { type: "sequence" };
      }
      case "store_sql":
        this.#texts.set(asked.sql_id, asked.sql);
        return { type: "store_sql" };
      case "close_sql":
        this.#texts.delete(asked.sql_id);
        return { type: "close_sql" };
      case "close":
        this.close();
        return { type: "close" };
    }
  }

  close(): void {
    if (this.#database.open) this.#database.close();
  }

  async #batch({ steps }: z.output<typeof Batch>): Promise<object> {
    const results: (object | null)[] = [];
    const errors: (object | null)[] = [];
    const holds = (condition: Condition): boolean => {
      switch (condition.type) {
        case "ok":
          return results[condition.step] !== null;
        case "error":
          return errors[condition.step] !== null;
        case "not":
          return !holds(condition.cond);
        case "and":
          return condition.conds.every(holds);
        case "or":
          return condition.conds.some(holds);
      }
    };
    for (const { condition, stmt } of steps) {
      let result: object | null = null;
      let error: object | null = null;
      if (condition === undefined || holds(condition)) {
        try {
          result = await this.#execute(stmt);
        } catch (fault) {
          error = errorOf(fault);
        }
      }
      results.push(result);
      errors.push(error);
    }
    return { step_results: results, step_errors: errors };
  }

  async #execute(statement: Statement): Promise<object> {
    const text = this.#textOf(statement);
    const args = statement.args.map(fromWire);
    return whenFree(() => {
      if (/^(?:begin|commit|rollback)\b/iu.test(text)) {
        // Not prepared: a prepared statement that found the file busy would stay active and keep its transaction open.
        this.#database.exec(text);
        return { cols: [], rows: [], affected_row_count: 0 };
      }
      const prepared = this.#database.prepare(text);
      if (!prepared.reader) {
        const { changes, lastInsertRowid } = prepared.run(args);
        return {
          cols: [],
          rows: [],
          affected_row_count: changes,
          last_insert_rowid: String(lastInsertRowid),
        };
      }
      const rows = prepared.raw(true).safeIntegers(true).all(args) as unknown[][];
      const cols = prepared.columns().map(({ name }) => ({ name }));
      return { cols, rows: rows.map((row) => row.map(toWire)), affected_row_count: 0 };
    });
  }

  #textOf({ sql, sql_id: id }: { sql?: string | undefined; sql_id?: number | undefined }): string {
    const text = sql ?? this.#texts.get(id ?? -1);
    if (text === undefined) throw new Error(`no statement is stored as ${id}`);
    return text;
  }
}

/** Serves the database file at `path`, to clients that send the token. */
export async function openLibsqlServer(path: string, token: string, port = 0): Promise<PeerServer> {
  const streams = new Map<string, Stream>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { "content-type": "text/plain" }).end("not authorised");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { baton, requests: asked } = Pipeline.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const stream = baton === undefined ? new Stream(path) : streams.get(baton);
    if (stream === undefined) {
      response.writeHead(400, { "content-type": "text/plain" }).end("this stream is over");
      return;
    }
    if (baton !== undefined) streams.delete(baton);
    const results: object[] = [];
    for (const one of asked) {
      try {
        results.push({ type: "ok", response: await stream.answer(one) });
      } catch (fault) {
        results.push({ type: "error", error: errorOf(fault) });
      }
    }
    const isOver = asked.some(({ type }) => type === "close");
    const next = isOver ? null : randomUUID();
    if (next !== null) streams.set(next, stream);
    const fitting = results.map((result) =>
      Buffer.byteLength(JSON.stringify(result)) <= mostAnswerBytes
        ? result
        : { type: "error", error: tooLarge },
    );
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ baton: next, base_url: null, results: fitting }));
  };
  const server = await openPeerServer((request, response) => {
    respond(request, response).catch((fault: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(fault));
    });
  }, port);
  return {
    ...server,
    close: async () => {
      await server.close();
      for (const stream of streams.values()) stream.close();
    },
  };
}

async function whenFree<T>(work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (errorCode(error)?.startsWith("SQLITE_BUSY") !== true || attempt === mostTries) throw error;
      await wait(10);
    }
  }
}

function errorOf(error: unknown): object {
  return {
    message: error instanceof Error ? error.message : String(error),
    code: errorCode(error) ?? "UNKNOWN",
  };
}

function fromWire(value: Value): bigint | number | string | Buffer | null {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(value.value);
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      return value.value;
  }
}

function toWire(value: unknown): Value {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  // All other values are bytes: a Buffer or an ArrayBuffer.
  return { type: "blob", base64: Buffer.from(value as Buffer).toString("base64") };
}
