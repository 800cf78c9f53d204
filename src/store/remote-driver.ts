import type { Client, InArgs, Transaction } from "@libsql/client/http";
import type { Driver, OpenTransaction, View } from "./driver.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/**
 * The driver of a libSQL server (`MEMSVC_DB_URL`), through its client library: the way in which several machines
 * share one store. The server flushes what it commits; what PRAGMA sets for a file is the server's own business.
 */
export class RemoteDriver implements Driver {
  readonly kind = "server";
  readonly reader: Sql;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.reader = sqlOver(client);
  }

  async openView(): Promise<View> {
    const transaction = await this.#client.transaction("read");
    return { ...sqlOver(transaction), close: async () => transaction.close() };
  }

  async begin(): Promise<OpenTransaction> {
    const transaction = await this.#client.transaction("write");
    return {
      ...sqlOver(transaction),
      commit: () => transaction.commit(),
      rollback: async () => {
        if (!transaction.closed) await transaction.rollback();
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

  close(): void {
    this.#client.close();
  }
}

/** Connects to a server. The library is loaded only here: most stores are files. */
export async function openRemote(url: string, authToken: string | undefined): Promise<RemoteDriver> {
  const { createClient } = await import("@libsql/client/http");
  return new RemoteDriver(createClient({ url, ...(authToken === undefined ? {} : { authToken }) }));
}

function sqlOver(connection: Client | Transaction): Sql {
  const execute = (text: string, args: readonly SqlValue[] = []) =>
    connection.execute({ sql: text, args: args as InArgs });
  return {
    // The caller states the row's shape beside the SELECT that makes it; nothing at run time could know it.
    all: async <Row = SqlRow>(text: string, args?: readonly SqlValue[]) =>
      (await execute(text, args)).rows as unknown as Row[],
    values: async (text, args) => {
      const { rows, columns } = await execute(text, args);
      return rows.map((row) => columns.map((_, at) => row[at] as SqlValue));
    },
    run: async (text, args) => ({ changes: (await execute(text, args)).rowsAffected }),
  };
}
