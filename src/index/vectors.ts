import { firstRow, type Sql } from "../store/sql.ts";
import { cutCodePoints } from "../text/estimate.ts";
import { parseStrings } from "./documents.ts";

/** What a model reads of one document at the most, in code points. */
const maxTextLength = 16_000;

/** A document that waits for its vectors. */
export interface PendingDocument {
  readonly id: number;
  /** Title, body and concepts, cut at 16,000 characters. */
  readonly text: string;
}

/** One vector per chunk of a document's text. */
export interface EmbeddedDocument {
  readonly id: number;
  readonly chunks: readonly Float32Array[];
}

export interface VectorCounts {
  /** Documents that have vectors of the fingerprint. */
  readonly embedded: number;
  /** Documents that wait for some. */
  readonly pending: number;
}

/** The longest-waiting documents. They stay in the queue until their vectors are stored. */
export async function pendingDocuments(sql: Sql, limit: number): Promise<PendingDocument[]> {
  const rows = await sql.all<{ id: number; title: string; body: string; concepts: string }>(
    `SELECT documents.id, title, body, concepts FROM pending_vectors
     JOIN documents ON documents.id = pending_vectors.document_id ORDER BY documents.id LIMIT ?`,
    [limit],
  );
  return rows.map(({ id, title, body, concepts }) => ({
    id,
    text: cutCodePoints([title, body, parseStrings(concepts).join(" ")].join("\n"), maxTextLength),
  }));
}

/**
 * Stores what a model made of documents and takes them out of the queue. A document that was deleted meanwhile is
 * passed over. Storing the same again changes nothing.
 */
export async function storeVectors(
  sql: Sql,
  fingerprint: string,
  documents: readonly EmbeddedDocument[],
): Promise<void> {
  for (const { id, chunks } of documents) {
    await sql.run("DELETE FROM document_vectors WHERE document_id = ?", [id]);
    for (const [chunk, vector] of chunks.entries()) {
      await sql.run(
        `INSERT INTO document_vectors (document_id, chunk, fingerprint, vector)
         SELECT id, ?, ?, ? FROM documents WHERE id = ?`,
        [chunk, fingerprint, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), id],
      );
    }
    await sql.run("DELETE FROM pending_vectors WHERE document_id = ?", [id]);
  }
}

/** Puts every document without vectors of the fingerprint back into the queue, as after a change of model. */
export async function requeueOthers(sql: Sql, fingerprint: string): Promise<number> {
  const { changes } = await sql.run(
    `INSERT OR IGNORE INTO pending_vectors (document_id) SELECT id FROM documents WHERE NOT EXISTS
       (SELECT 1 FROM document_vectors WHERE document_id = documents.id AND fingerprint = ?)`,
    [fingerprint],
  );
  return changes;
}

/** How far the vectors are, for a model's fingerprint; undefined when there is no model. */
export async function countVectors(sql: Sql, fingerprint: string | undefined): Promise<VectorCounts> {
  const pending = await firstRow<{ n: number }>(sql, "SELECT count(*) AS n FROM pending_vectors");
  const embedded = await firstRow<{ n: number }>(
    sql,
    "SELECT count(*) AS n FROM document_vectors WHERE chunk = 0 AND fingerprint = ?",
    [fingerprint ?? ""],
  );
  return { embedded: embedded?.n ?? 0, pending: pending?.n ?? 0 };
}

/** Whether any model made vectors. */
export async function hasVectors(sql: Sql): Promise<boolean> {
  return (await firstRow(sql, "SELECT 1 FROM document_vectors LIMIT 1")) !== undefined;
}
