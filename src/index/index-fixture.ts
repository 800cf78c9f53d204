import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { putEmptyStore } from "../../test/support/empty-store.ts";
import type { Sql, SqlValue } from "../store/sql.ts";
import { type DocumentInput, putDocument } from "./documents/documents.ts";
import { keywordSearch } from "./keyword/keyword.ts";
import type { SearchScope } from "./scope.ts";

export interface TestIndex {
  readonly path: string;
  readonly sql: Sql;
  /** Makes a test index usable as a transaction; does nothing, because nothing is ever deferred here. */
  settleLeft(): Promise<void>;
  /** Writes in one commit: writing thousands of documents takes a fraction of the time of as many commits. */
  together<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Opens another connection to the same store, like that of another thread or process. */
  connect(): Sql;
  close(): void;
}

/** For tests: an empty store in a temporary folder. */
export function openTestIndex(): TestIndex {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-index-"));
  const path = join(folder, "index.db");
  putEmptyStore(path);
  // Threads may just be reading it, and without a log readers keep writers out.
  const database = new Database(path, { timeout: 10_000 });
  const opened = [database];
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  return {
    path,
    sql: sqlOver(database),
    settleLeft: async () => undefined,
    async together(write) {
      database.exec("BEGIN");
      const written = await write();
      database.exec("COMMIT");
      return written;
    },
    connect() {
      const connection = new Database(path);
      opened.push(connection);
      return sqlOver(connection);
    },
    close() {
      for (const connection of opened) connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function sqlOver(database: Database.Database): Sql {
  type Statement = ReturnType<typeof database.prepare>;
  const once = (make: (text: string) => Statement) => {
    const made = new Map<string, Statement>();
    return (text: string) => {
      const statement = made.get(text) ?? make(text);
      made.set(text, statement);
      return statement;
    };
  };
  const prepare = once((text) => database.prepare(text));
  const prepareValues = once((text) => database.prepare(text).raw(true));
  return {
    // As in the store, the caller states the shape of the rows beside its SELECT.
    all: async <Row>(text: string, args: readonly SqlValue[] = []) => prepare(text).all(args) as Row[],
    values: async (text, args = []) => prepareValues(text).all(args) as SqlValue[][],
    run: async (text, args = []) => ({ changes: prepare(text).run(args).changes }),
  };
}

/** The fields of a document that a test is about. */
type Told = Partial<DocumentInput> & { readonly ref: string };

/** Writes documents, one after another in one commit. */
export function putInto({ sql, together }: TestIndex, ...documents: Told[]): Promise<void> {
  return together(async () => {
    for (const document of documents) await putDocument(sql, makeDocument(document));
  });
}

/** The refs of the documents that a keyword search finds, best first. */
export async function foundIn(
  { sql }: TestIndex,
  query: string,
  scope: Partial<SearchScope> = {},
  limit = 10,
): Promise<string[]> {
  const hits = await keywordSearch(sql, { query, scope: { now: 5_000, ...scope }, limit });
  return hits.map(({ ref }) => ref);
}

/** A document with defaults for the fields that are not given. */
export function makeDocument(given: Told): DocumentInput {
  return {
    kind: "observation",
    projectKey: "/code/app",
    agentId: null,
    sessionId: "session-1",
    createdAt: 1_000,
    updatedAt: 1_000,
    hiddenAfter: null,
    importance: 0.5,
    type: "command",
    project: "app",
    title: "",
    concepts: [],
    files: [],
    body: "",
    ...given,
  };
}
