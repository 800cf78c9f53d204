import { setImmediate as nextTurn } from "node:timers/promises";
import { gatherer } from "../../store/at-end.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstColumn, firstNumber, firstRow, type Sql, type SqlValue } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { tokenVersion } from "../../text/tokens.ts";
import { type Scoped, scopeTokens } from "../scope.ts";
import { mergeSegments } from "../words/segments.ts";
import { type DocumentText, type DocumentWords, documentWords } from "./document-words.ts";

/** A record as it is indexed. Times are in milliseconds. */
export interface DocumentInput extends DocumentText, Scoped {
  /** The record's id, unique within its kind. */
  readonly ref: string;
  readonly sessionId: string | null;
  readonly updatedAt: number;
  /** 0 to 1. */
  readonly importance: number;
  readonly type: string;
  /** Project as it was given. */
  readonly project: string | null;
  /** The result of `documentWords`, if it was computed before the transaction. */
  readonly words?: DocumentWords | undefined;
}

/** Writes a document or replaces the one with the same kind and ref. Searches find it once the transaction commits. */
export async function putDocument(sql: Sql, document: DocumentInput): Promise<void> {
  const stored = await firstRow<{ id: number }>(sql, selectId, [document.kind, document.ref]);
  if (stored === undefined) {
    await insertNew(sql, [document]);
    return;
  }
  const { values, terms } = rowsOf(document);
  await sql.run(updateDocument, [stored.id, ...values]);
  await sql.run(replaceTerms, [stored.id, ...terms]);
}

/**
 * Writes the document of a new record at the end of the transaction, together with the other new ones: statements that
 * open a savepoint in between would make FTS5 write out a segment each time (see below).
 */
export const insertDocument = gatherer<DocumentInput>(async (tx, documents) => {
  const last = await insertNew(tx.sql, documents);
  mergeSegments(tx, { last, inserted: documents.length });
});

/** Few enough that finding their words takes only some milliseconds. */
const insertedAtOnce = 50;

/** Like `putDocument` for many documents of one kind, no two of which have the same ref. */
export async function putDocuments(
  sql: Sql,
  kind: string,
  documents: readonly DocumentInput[],
): Promise<void> {
  if (documents.length === 0) return;
  const refs = JSON.stringify(documents.map(({ ref }) => ref));
  const known = new Set(await firstColumn(sql, selectKnown, [kind, refs]));
  const fresh = documents.filter(({ ref }) => !known.has(ref));
  for (const some of chunksOf(fresh, insertedAtOnce)) await insertNew(sql, some);
  for (const document of documents) if (known.has(document.ref)) await putDocument(sql, document);
}

/** Inserts documents with consecutive ids; returns the last id. */
async function insertNew(sql: Sql, documents: readonly DocumentInput[]): Promise<number> {
  const last = await firstNumber(sql, "SELECT seq FROM sqlite_sequence WHERE name = 'documents'");
  const rows = documents.map((document, at) => {
    const { kind, ref } = document;
    return { id: last + 1 + at, kind, ref, ...rowsOf(document) };
  });
  await insertDocuments(
    sql,
    rows.map(({ id, kind, ref, values }) => [id, kind, ref, ...values]),
  );
  await insertPending(
    sql,
    rows.map(({ id }) => [id]),
  );
  for (const { id, terms } of rows) await sql.run(insertTerms, [id, ...terms]);
  return last + documents.length;
}

/** The values of a document's row, without kind and ref, and of its row in the inverted index. */
function rowsOf(document: DocumentInput): { values: SqlValue[]; terms: string[] } {
  const { forward, fields, stops } = document.words ?? documentWords(document);
  return {
    values: [
      document.projectKey,
      document.agentId,
      document.sessionId,
      document.createdAt,
      document.updatedAt,
      document.hiddenAfter,
      document.importance,
      document.type,
      document.project,
      forward,
      document.title,
      JSON.stringify(document.concepts),
      JSON.stringify(document.files),
      document.body,
      tokenVersion,
    ],
    terms: [...fields, [...scopeTokens(document), ...stops].join(" ")],
  };
}

/** Deletes documents, including those inserted in this transaction; returns how many existed. */
export async function removeDocuments(
  tx: Pick<Transaction, "sql" | "settleLeft">,
  kind: string,
  refs: readonly string[],
): Promise<number> {
  if (refs.length === 0) return 0;
  await tx.settleLeft();
  const removed = await tx.sql.run(
    "DELETE FROM documents WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))",
    [kind, JSON.stringify(refs)],
  );
  return removed.changes;
}

/** Few enough that other work waits only some milliseconds. */
const clearedAtOnce = 100;

/**
 * Deletes all documents of a kind, yielding to the event loop in between; so nobody else may use the same transaction
 * meanwhile.
 */
export async function clearDocuments(sql: Sql, kind: string): Promise<void> {
  for (;;) {
    const { changes } = await sql.run(
      "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE kind = ? LIMIT ?)",
      [kind, clearedAtOnce],
    );
    if (changes === 0) return;
    await nextTurn();
  }
}

const valueColumns = [
  "project_key",
  "agent_id",
  "session_id",
  "created_at",
  "updated_at",
  "hidden_after",
  "importance",
  "type",
  "project",
  "forward",
  "title",
  "concepts",
  "files",
  "body",
  "token_version",
];

/*
 * New documents are inserted and known ones updated by separate statements, not by an upsert: for an upsert, as for
 * RETURNING, SQLite opens a savepoint, at which FTS5 writes what it has gathered as a segment. There would be a segment
 * per document instead of one per commit.
 */
const updateDocument = `UPDATE documents SET ${valueColumns
  .map((column, at) => `${column} = ?${at + 2}`)
  .join(", ")} WHERE id = ?1`;

const selectId = "SELECT id FROM documents WHERE kind = ? AND ref = ?";
const selectKnown = "SELECT ref FROM documents WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))";

// OR FAIL, because SQLite also opens a savepoint for a statement that might have to be undone.
const insertDocuments = bulkInsert(
  `INSERT OR FAIL INTO documents (id, kind, ref, ${valueColumns.join(", ")})`,
  `(?, ?, ?, ${valueColumns.map(() => "?").join(", ")})`,
);
const insertPending = bulkInsert("INSERT OR FAIL INTO pending_vectors (document_id)", "(?)");

const termsInto = "INTO documents_fts (rowid, title, concepts, files, body, scope) VALUES (?, ?, ?, ?, ?, ?)";
const insertTerms = `INSERT ${termsInto}`;
const replaceTerms = `INSERT OR REPLACE ${termsInto}`;
