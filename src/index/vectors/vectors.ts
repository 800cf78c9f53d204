import { textsIn } from "../../store/json-columns.ts";
import { firstNumber, hasRow, type Sql } from "../../store/sql.ts";
import { cutCodePoints } from "../../text/code-points.ts";

/** The most of a document's text that is embedded, in code points. */
const maxTextLength = 16_000;

/** A document in the queue for vectors. */
export interface PendingDocument {
  readonly id: number;
  /** Title, body and concepts, cut at 16,000 code points. */
  readonly text: string;
}

/** The vectors of a document: one per chunk of its text. */
interface EmbeddedDocument {
  readonly id: number;
  /** The text that was embedded. If the document's text has changed since, the vectors are not stored. */
  readonly text?: string;
  readonly chunks: readonly Float32Array[];
}

interface VectorCounts {
  /** The number of documents that have vectors of the fingerprint. */
  readonly embedded: number;
  /** The number of documents in the queue, and of those that have vectors of another model and will be queued. */
  readonly pending: number;
}

/**
 * The newest documents in the queue, so that what was just saved does not wait for all that a change of model queued.
 * They stay in it until their vectors are stored.
 */
export async function pendingDocuments(sql: Sql, limit: number): Promise<PendingDocument[]> {
  const rows = await sql.all<TextRow>(
    // CROSS JOIN fixes the order; otherwise the planner goes through all documents to find the few in the queue.
    `SELECT documents.id, title, body, concepts FROM pending_vectors
     CROSS JOIN documents ON documents.id = document_id ORDER BY document_id DESC LIMIT ?`,
    [limit],
  );
  return rows.map((row) => ({ id: row.id, text: embeddedText(row) }));
}

interface TextRow {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly concepts: string;
}

function embeddedText({ title, body, concepts }: TextRow): string {
  return cutCodePoints([title, body, textsIn(concepts).join(" ")].join("\n"), maxTextLength);
}

/** A vector as the blob that the database stores: little-endian 32-bit floats. Shares the vector's memory. */
export function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector in a blob. The bytes are copied, because a blob need not be aligned; surplus bytes are dropped. */
export function vectorOf(blob: Uint8Array | ArrayBuffer): Float32Array {
  const bytes = new Uint8Array(blob);
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));
}

/**
 * Stores the vectors of documents, instead of those they had, and removes the documents from the queue. A document that
 * was deleted meanwhile is skipped; one whose text has changed meanwhile stays in the queue. Idempotent.
 */
export async function storeVectors(
  sql: Sql,
  fingerprint: string,
  documents: readonly EmbeddedDocument[],
): Promise<void> {
  const current = await currentTexts(sql, documents);
  for (const { id, text, chunks } of documents) {
    if (text !== undefined && text !== (current.get(id) ?? text)) continue;
    await sql.run("DELETE FROM document_vectors WHERE document_id = ?", [id]);
    for (const [chunk, vector] of chunks.entries()) {
      await sql.run(
        `INSERT INTO document_vectors (document_id, chunk, fingerprint, vector)
         SELECT id, ?, ?, ? FROM documents WHERE id = ?`,
        [chunk, fingerprint, blobOf(vector), id],
      );
    }
    await sql.run("DELETE FROM pending_vectors WHERE document_id = ?", [id]);
  }
}

async function currentTexts(
  sql: Sql,
  documents: readonly EmbeddedDocument[],
): Promise<ReadonlyMap<number, string>> {
  const ids = documents.filter(({ text }) => text !== undefined).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await sql.all<TextRow>(
    "SELECT id, title, body, concepts FROM documents WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(ids)],
  );
  return new Map(rows.map((row) => [row.id, embeddedText(row)]));
}

/**
 * Queues every document, of a range of ids if one is given, that has no vectors of the fingerprint: for a change of
 * model. Returns how many were added to the queue.
 */
export async function requeueOthers(
  sql: Sql,
  fingerprint: string,
  range: { readonly after: number; readonly upTo: number } = { after: 0, upTo: Number.MAX_SAFE_INTEGER },
): Promise<number> {
  const { changes } = await sql.run(
    `INSERT OR IGNORE INTO pending_vectors (document_id) SELECT id FROM documents
     WHERE id > ? AND id <= ? AND NOT EXISTS
       (SELECT 1 FROM document_vectors WHERE document_id = documents.id AND fingerprint = ?)`,
    [range.after, range.upTo, fingerprint],
  );
  return changes;
}

/** Two ranges instead of `<>`, so that an index serves and not all vectors are read. */
const stale = `SELECT document_id FROM document_vectors
  WHERE chunk = 0 AND (fingerprint < ?1 OR fingerprint > ?1)
    AND document_id NOT IN (SELECT document_id FROM pending_vectors)`;

/** The number of documents that have vectors of another fingerprint and are not in the queue. */
export function countStale(sql: Sql, fingerprint: string): Promise<number> {
  return firstNumber(sql, `SELECT count(*) FROM (${stale})`, [fingerprint]);
}

/** Queues the documents that `countStale` counts; returns how many. */
export async function requeueStale(sql: Sql, fingerprint: string): Promise<number> {
  const { changes } = await sql.run(`INSERT INTO pending_vectors (document_id) ${stale}`, [fingerprint]);
  return changes;
}

const ofGivenUp = `FROM documents WHERE NOT EXISTS (SELECT 1 FROM document_vectors WHERE document_id = documents.id)
  AND id NOT IN (SELECT document_id FROM pending_vectors)`;

/** Selects the refs of documents without vectors that are not in the queue: embedding them was given up. */
export const selectGivenUp = `SELECT ref AS id ${ofGivenUp}`;

/** Queues the documents that `selectGivenUp` selects; returns how many. */
export async function requeueGivenUp(sql: Sql): Promise<number> {
  const { changes } = await sql.run(`INSERT INTO pending_vectors (document_id) SELECT id ${ofGivenUp}`);
  return changes;
}

/** The progress of embedding with a model. `fingerprint` is undefined if there is no model. */
export async function countVectors(sql: Sql, fingerprint: string | undefined): Promise<VectorCounts> {
  const ofModel = "SELECT count(*) FROM document_vectors WHERE chunk = 0 AND fingerprint = ?";
  return {
    embedded: await firstNumber(sql, ofModel, [fingerprint ?? ""]),
    pending:
      (await firstNumber(sql, "SELECT count(*) FROM pending_vectors")) +
      (fingerprint === undefined ? 0 : await countStale(sql, fingerprint)),
  };
}

/** Whether there are documents that have no vectors of the fingerprint and are not in the queue. */
export async function lacksUnqueued(sql: Sql, fingerprint: string): Promise<boolean> {
  const { embedded } = await countVectors(sql, fingerprint);
  // A document in the queue may have vectors of the fingerprint already, after a change of model and back.
  const rest = await firstNumber(
    sql,
    `SELECT (SELECT count(*) FROM documents) - (SELECT count(*) FROM pending_vectors WHERE NOT EXISTS
       (SELECT 1 FROM document_vectors WHERE document_id = pending_vectors.document_id AND fingerprint = ?))`,
    [fingerprint],
  );
  return embedded < rest;
}

/** Whether any document has vectors of the fingerprint. */
export function hasVectorsOf(sql: Sql, fingerprint: string): Promise<boolean> {
  const some = "SELECT 1 FROM document_vectors WHERE chunk = 0 AND fingerprint = ? LIMIT 1";
  return hasRow(sql, some, [fingerprint]);
}
