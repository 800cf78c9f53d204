import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { readMigrations } from "../store/migrations.ts";
import type { Sql, SqlValue } from "../store/sql.ts";
import type { DocumentInput } from "./documents.ts";

export interface TestIndex {
  readonly sql: Sql;
  close(): void;
}

/** For tests: an empty store in a temporary folder, of which the index is used. */
export function openTestIndex(): TestIndex {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-index-"));
  const database = new Database(join(folder, "index.db"));
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  for (const statement of readMigrations().flatMap(({ statements }) => statements)) database.exec(statement);
  return {
    // The driver returns rows of any shape; as in the store, the caller states it beside the SELECT.
    sql: {
      all: async <Row>(text: string, args: readonly SqlValue[] = []) => prepare(text).all(args) as Row[],
      values: async (text, args = []) => database.prepare(text).raw(true).all(args) as SqlValue[][],
      run: async (text, args = []) => ({ changes: prepare(text).run(args).changes }),
    },
    close() {
      prepared.clear();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A document of which a test names only what it is about. */
export function makeDocument(given: Partial<DocumentInput> & { readonly ref: string }): DocumentInput {
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
