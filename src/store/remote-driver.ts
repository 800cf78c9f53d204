import type { Client, InArgs, Transaction } from "@libsql/client/http";
import { MemsvcError, messageOf } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";
import type { Driver, OpenTransaction, View } from "./driver.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/**
 * The driver for a libSQL server (`MEMSVC_DB_URL`), by which several machines share one store. The server flushes its
 * commits; PRAGMAs for files do not apply.
 */
export class RemoteDriver implements Driver {
  readonly kind = "server";
  readonly reader: Sql;
  readonly #client: Client;
  readonly #asked: Asked;

  /** `host`: the server's host, for error messages. */
  constructor(client: Client, host: string) {
    this.#client = client;
    this.#asked = (request) => request.catch((error: unknown) => Promise.reject(serverFault(error, host)));
    this.reader = sqlOver(client, this.#asked);
  }

  async openView(): Promise<View> {
    const transaction = await this.#asked(this.#client.transaction("read"));
    const sql = sqlOver(transaction, this.#asked);
    try {
      // A transaction sees the state at its first read, so read at once.
      await sql.values("SELECT 1 FROM sqlite_master LIMIT 1");
    } catch (error) {
      transaction.close();
      throw error;
    }
    return { ...sql, close: async () => transaction.close() };
  }

  async begin(): Promise<OpenTransaction> {
    const transaction = await this.#asked(this.#client.transaction("write"));
    const sql = sqlOver(transaction, this.#asked);
    const left: string[] = [];
    return {
      ...sql,
      commit: async () => {
        for (const statement of left) await sql.run(statement);
        await this.#asked(transaction.commit());
      },
      rollback: async () => {
        if (!transaction.closed) await this.#asked(transaction.rollback());
      },
      leaveToCommit: (statement) => {
        left.push(statement);
      },
      foreignVersion: async () => undefined,
      get isOpen() {
        return !transaction.closed;
      },
    };
  }

  reconnect(): void {
    this.#client.reconnect();
  }

  followFile(): void {
    // There is no file.
  }

  onReplaced(): void {
    // A server's database is never replaced.
  }

  async emptyLog(): Promise<boolean> {
    return true;
  }

  async settled(): Promise<void> {
    // A server checkpoints its own log.
  }

  close(): void {
    this.#client.close();
  }
}

/** Connects to a server. The library is loaded only here, because most stores are files. */
export async function openRemote(url: string, authToken: string | undefined): Promise<RemoteDriver> {
  const { createClient } = await import("@libsql/client/http");
  try {
    const client = createClient({ url, ...(authToken === undefined ? {} : { authToken }) });
    return new RemoteDriver(client, new URL(url).host);
  } catch (error) {
    throw new MemsvcError("invalid_setting", `MEMSVC_DB_URL is not a usable address: ${reasonOf(error)}`, {
      hint: "leave out what follows the host and its port",
      cause: error,
    });
  }
}

/** The client library's complaint about a URL, without its error code. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^URL_\w+: /u, "");
}

/** Awaits a request to the server and translates its errors. */
type Asked = <T>(request: Promise<T>) => Promise<T>;

/** The client library's codes for an answer that is not one of a database server. */
const noAnswer = /^(?:SERVER_ERROR|HRANA_\w+)$/u;

function serverFault(error: unknown, host: string): unknown {
  const code = errorCode(error) ?? "";
  if (code === "RESPONSE_TOO_LARGE")
    return new MemsvcError(
      "too_large",
      `the database server ${host} does not allow a response of this size`,
      {
        hint: "use a smaller limit, or raise the server's --max-response-size",
        cause: error,
      },
    );
  // fetch raises this if it cannot connect.
  const isUnreached = error instanceof TypeError && error.cause !== undefined;
  if (!noAnswer.test(code) && !isUnreached) return error;
  return new MemsvcError("unavailable", `the database server ${host} does not answer as it should`, {
    hint: "check MEMSVC_DB_URL and MEMSVC_DB_AUTH_TOKEN, and that the server runs",
    cause: error,
  });
}

function sqlOver(connection: Client | Transaction, asked: Asked): Sql {
  const execute = (text: string, args: readonly SqlValue[] = []) =>
    asked(connection.execute({ sql: text, args: args as InArgs }));
  return {
    // The caller states the shape of the rows beside its SELECT; it cannot be checked here.
    all: async <Row = SqlRow>(text: string, args?: readonly SqlValue[]) =>
      (await execute(text, args)).rows as unknown as Row[],
    values: async (text, args) => {
      const { rows, columns } = await execute(text, args);
      return rows.map((row) => columns.map((_, at) => row[at] as SqlValue));
    },
    run: async (text, args) => ({ changes: (await execute(text, args)).rowsAffected }),
  };
}
