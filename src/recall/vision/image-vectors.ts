import { imageUses, type UseFilter } from "../../capture/images/uses.ts";
import { blobOf, vectorOf } from "../../index/vectors/vectors.ts";
import { timeText } from "../../operation/fields.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { ImageResult } from "./record.ts";

interface StoredVector {
  readonly ref: string;
  readonly fingerprint: string;
  /** Undefined for an image that cannot be decoded, which is not tried again. */
  readonly vector: Float32Array | undefined;
  readonly now: number;
}

/** Stores the vector of an image, unless the image was deleted meanwhile. */
export async function storeImageVector(sql: Sql, stored: StoredVector): Promise<void> {
  const { ref, fingerprint, vector, now } = stored;
  await sql.run(
    `INSERT INTO image_vectors (ref, fingerprint, vector, updated_at)
     SELECT ref, ?, ?, ? FROM images WHERE ref = ?
     ON CONFLICT (ref) DO UPDATE SET
       fingerprint = excluded.fingerprint, vector = excluded.vector, updated_at = excluded.updated_at`,
    [fingerprint, vector === undefined ? null : blobOf(vector), now, ref],
  );
}

/** The stored vector of an image by a model; undefined when there is none. */
export async function imageVector(
  sql: Sql,
  ref: string,
  fingerprint: string,
): Promise<Float32Array | undefined> {
  const row = await firstRow<{ vector: Uint8Array | ArrayBuffer | null }>(
    sql,
    "SELECT vector FROM image_vectors WHERE ref = ? AND fingerprint = ?",
    [ref, fingerprint],
  );
  return row === undefined || row.vector === null ? undefined : vectorOf(row.vector);
}

/** Stored images without a vector of this model, the most recently used first. */
export function imagesWithoutVector(
  sql: Sql,
  fingerprint: string,
  limit: number,
): Promise<{ ref: string; mime: string; extension: string }[]> {
  return sql.all(
    `SELECT ref, mime, extension FROM images WHERE NOT EXISTS
       (SELECT 1 FROM image_vectors WHERE image_vectors.ref = images.ref AND fingerprint = ?)
     ORDER BY used_at DESC, ref LIMIT ?`,
    [fingerprint, limit],
  );
}

interface Query extends UseFilter {
  readonly vector: Float32Array;
  readonly fingerprint: string;
  readonly topK: number;
}

interface FoundRow {
  readonly ref: string;
  readonly score: number;
  readonly sessionId: string | null;
  readonly observationId: string | null;
  readonly updatedAt: number;
  readonly total: number;
}

/** The images nearest to a vector, by a scan of all that pass the filter. */
export async function nearestImages(
  sql: Sql,
  { vector, fingerprint, topK, ...filter }: Query,
): Promise<{ results: ImageResult[]; total: number }> {
  const uses = imageUses(filter);
  const rows = await sql.all<FoundRow>(
    `SELECT image_vectors.ref, 1 - vector_distance_cos(vector, ?) AS score, session_id AS sessionId,
       observation_id AS observationId, updated_at AS updatedAt, count(*) OVER () AS total
     FROM image_vectors JOIN ${uses.text} AS uses ON uses.ref = image_vectors.ref
     WHERE fingerprint = ? AND vector IS NOT NULL
     ORDER BY score DESC, image_vectors.ref LIMIT ?`,
    [blobOf(vector), ...uses.args, fingerprint, topK],
  );
  const results = rows.map(({ ref, score, sessionId, observationId, updatedAt }) => ({
    imageRef: ref,
    score,
    ...(sessionId === null ? {} : { sessionId }),
    ...(observationId === null ? {} : { observationId }),
    updatedAt: timeText(updatedAt),
  }));
  return { results, total: rows[0]?.total ?? 0 };
}
