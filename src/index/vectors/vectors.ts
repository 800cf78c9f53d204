import { textsIn } from "../../store/json-columns.ts";
import { firstNumber, hasRow, type Sql } from "../../store/sql.ts";
import { cutCodePoints } from "../../text/code-points.ts";

/** What a model reads of one document at the most, in code points. */
const maxTextLength = 16_000;

/** A document that waits for its vectors. */
export interface PendingDocument {
  readonly id: number;
  /** Title, body and concepts, cut at 16,000 characters. */
  readonly text: string;
}

/** One vector per chunk of a document's text. */
interface EmbeddedDocument {
  readonly id: number;
  /** The text that was embedded. Where the document has another by now, the vectors are not its own. */
  readonly text?: string;
  readonly chunks: readonly Float32Array[];
}

interface VectorCounts {
  /** Documents that have vectors of the fingerprint. */
  readonly embedded: number;
  /** Documents that wait for some. */
  readonly pending: number;
}

/** The longest-waiting documents. They stay in the queue until their vectors are stored. */
export async function pendingDocuments(sql: Sql, limit: number): Promise<PendingDocument[]> {
  const rows = await sql.all<TextRow>(
    // Said in this order because the planner would go through all documents to find the few that wait.
    `SELECT documents.id, title, body, concepts FROM pending_vectors
     CROSS JOIN documents ON documents.id = document_id ORDER BY document_id LIMIT ?`,
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

/** A vector as the database takes it: little-endian floats. */
export function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector of a blob, which need not lie where 32-bit numbers may. What is left over of a torn one is dropped. */
export function vectorOf(blob: Uint8Array | ArrayBuffer): Float32Array {
  const bytes = new Uint8Array(blob);
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));
}

/**
 * Stores what a model made of documents and takes them out of the queue. A document that was deleted meanwhile is
 * passed over; one whose text was changed meanwhile stays in the queue. Storing the same again changes nothing.
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
 * Puts every document without vectors of the fingerprint back into the queue, as after a change of model; of a
 * range of ids where one is given.
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

/** Said as two ranges, which the index answers without reading all vectors. */
const stale = `SELECT document_id FROM document_vectors
  WHERE chunk = 0 AND (fingerprint < ?1 OR fingerprint > ?1)
    AND document_id NOT IN (SELECT document_id FROM pending_vectors)`;

/** How many documents have vectors of another model than the fingerprint's and do not wait for new ones. */
export function countStale(sql: Sql, fingerprint: string): Promise<number> {
  return firstNumber(sql, `SELECT count(*) FROM (${stale})`, [fingerprint]);
}

/** Puts those documents into the queue. */
export async function requeueStale(sql: Sql, fingerprint: string): Promise<number> {
  const { changes } = await sql.run(`INSERT INTO pending_vectors (document_id) ${stale}`, [fingerprint]);
  return changes;
}

const ofGivenUp = `FROM documents WHERE NOT EXISTS (SELECT 1 FROM document_vectors WHERE document_id = documents.id)
  AND id NOT IN (SELECT document_id FROM pending_vectors)`;

/** The records of documents that have no vectors and wait for none: a model could make none of them. */
export const givenUp = `SELECT ref AS id ${ofGivenUp}`;

/** Puts those documents into the queue. */
export async function requeueGivenUp(sql: Sql): Promise<number> {
  const { changes } = await sql.run(`INSERT INTO pending_vectors (document_id) SELECT id ${ofGivenUp}`);
  return changes;
}

/** How far the vectors are, for a model's fingerprint; undefined when there is no model. */
export async function countVectors(sql: Sql, fingerprint: string | undefined): Promise<VectorCounts> {
  const ofModel = "SELECT count(*) FROM document_vectors WHERE chunk = 0 AND fingerprint = ?";
  return {
    embedded: await firstNumber(sql, ofModel, [fingerprint ?? ""]),
    pending: await firstNumber(sql, "SELECT count(*) FROM pending_vectors"),
  };
}

/** Whether documents lack vectors of the fingerprint that do not wait for any. */
export async function lacksUnqueued(sql: Sql, fingerprint: string): Promise<boolean> {
  const { embedded } = await countVectors(sql, fingerprint);
  // What waits may have vectors of the fingerprint already: after a change of model and back.
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
