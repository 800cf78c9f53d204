import { AsyncLocalStorage } from "node:async_hooks";
import { ormOver } from "../../src/store/orm.ts";
import type { Sql } from "../../src/store/sql.ts";
import type { Store, Transaction } from "../../src/store/store.ts";

interface Work {
  hasEnded: boolean;
}

const current = new AsyncLocalStorage<Work>();

/**
 * Makes every use of `store.read` within a write transaction an error: it only sees committed rows, not what the
 * transaction, and those before it in the same commit, have written.
 */
export function refuseReadsBeside(store: Store): void {
  const sql = refusing(store.read.sql);
  Object.defineProperty(store, "read", { value: { sql, orm: ormOver(sql) } });
  for (const name of ["write", "writeAlone"] as const) {
    const write: Store["write"] = store[name].bind(store);
    store[name] = (work, sharing) => write((tx) => inside(work, tx), sharing);
  }
}

/**
 * Runs the work of a transaction. What the work starts without awaiting may use `store.read` once the work has ended.
 */
async function inside<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<T> {
  const own = { hasEnded: false };
  try {
    return await current.run(own, () => work(tx));
  } finally {
    own.hasEnded = true;
  }
}

function refusing(sql: Sql): Sql {
  const refuse = (text: string) => {
    if (current.getStore()?.hasEnded === false) throw new Error(`read beside a write transaction: ${text}`);
  };
  return {
    all: async (text, args) => {
      refuse(text);
      return sql.all(text, args);
    },
    values: async (text, args) => {
      refuse(text);
      return sql.values(text, args);
    },
    run: async (text, args) => {
      refuse(text);
      return sql.run(text, args);
    },
  };
}
