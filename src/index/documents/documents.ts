import { setImmediate as nextTurn } from "node:timers/promises";
import { gatherer } from "../../store/at-end.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstColumn, firstNumber, firstRow, type Sql, type SqlValue } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { tokenVersion } from "../../text/tokens.ts";
import { scopeTokens } from "../scope.ts";
import { mergeSegments } from "../words/segments.ts";
import { type DocumentText, type DocumentWords, documentWords } from "./document-words.ts";

/** A record as the search index knows it. Times are milliseconds. */
export interface DocumentInput extends DocumentText {
  readonly kind: string;
  /** The record's id, unique within its kind. */
  readonly ref: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From then on no search returns the document. */
  readonly hiddenAfter: number | null;
  /** 0 to 1. */
  readonly importance: number;
  readonly type: string;
  /** Project as it was given. */
  readonly project: string | null;
  /** Its words, where they were found before the transaction. */
  readonly words?: DocumentWords | undefined;
}

/** Writes a document, or replaces the one of the same kind and ref; it can be found once the transaction commits. */
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
 * Writes the document of a record that is new, at the end of its transaction and together with others: before every
 * statement over many rows FTS5 writes what it has gathered as a segment of its own.
 */
export const insertDocument = gatherer<DocumentInput>(async (tx, documents) => {
  const last = await insertNew(tx.sql, documents);
  mergeSegments(tx, { last, inserted: documents.length });
});

/** Few enough that their words are found within some milliseconds. */
const insertedAtOnce = 50;

/** Writes documents of one kind, none twice, as putDocument does each. */
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

/** Returns the id of the last one. */
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

/** What is stored of a document: its row without kind and ref, and its tokens by field. */
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

/** Deletes documents, also those that are new in this transaction; returns how many there were. */
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

/** Few enough that others wait some milliseconds for them: FTS5 looks for the words of each. */
const clearedAtOnce = 100;

/** Deletes all documents of a kind, with turns for the event loop: only where others share no transaction with it. */
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
 * New documents are told from known ones instead of an upsert, whose statement SQLite guards; at every guard FTS5
 * writes what it has gathered as a segment of its own, once a document instead of once a commit. RETURNING is guarded too.
 */
const updateDocument = `UPDATE documents SET ${valueColumns
  .map((column, at) => `${column} = ?${at + 2}`)
  .join(", ")} WHERE id = ?1`;

const selectId = "SELECT id FROM documents WHERE kind = ? AND ref = ?";
const selectKnown = "SELECT ref FROM documents WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))";

// OR FAIL: statements that may take themselves back are guarded, too.
const insertDocuments = bulkInsert(
  `INSERT OR FAIL INTO documents (id, kind, ref, ${valueColumns.join(", ")})`,
  `(?, ?, ?, ${valueColumns.map(() => "?").join(", ")})`,
);
const insertPending = bulkInsert("INSERT OR FAIL INTO pending_vectors (document_id)", "(?)");

const termsInto = "INTO documents_fts (rowid, title, concepts, files, body, scope) VALUES (?, ?, ?, ?, ?, ?)";
const insertTerms = `INSERT ${termsInto}`;
const replaceTerms = `INSERT OR REPLACE ${termsInto}`;
