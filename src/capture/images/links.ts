import type { Ground } from "../../ground.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import type { Image } from "./decode.ts";
import { keepImageFile } from "./files.ts";
import { isImageReference } from "./reference.ts";

/** Stores images and links them to their observation, in its transaction. */
export async function linkImages(
  tx: Transaction,
  ground: Ground,
  observationId: string,
  images: readonly Image[],
): Promise<void> {
  for (const image of images) {
    await keepImage(tx, ground, image);
    await tx.sql.run(
      "INSERT INTO image_links (observation_id, ref) VALUES (?, ?) ON CONFLICT (observation_id, ref) DO NOTHING",
      [observationId, image.ref],
    );
  }
}

/** Stores an image for a request and pins it. */
export async function pinImage(
  tx: Transaction,
  ground: Ground,
  image: Image,
  { sessionId, agentId }: { readonly sessionId: string | undefined; readonly agentId: string | undefined },
): Promise<void> {
  await keepImage(tx, ground, image);
  await notePin(tx.sql, image.ref, { sessionId, agentId, createdAt: ground.now() });
}

/** A pin: a request stored the image for a session and an agent. */
interface Pin {
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly createdAt: number;
}

/** Adds a pin unless it exists. Returns whether it is new. */
export async function notePin(
  sql: Sql,
  ref: string,
  { sessionId, agentId, createdAt }: Pin,
): Promise<boolean> {
  const { changes } = await sql.run(
    `INSERT INTO image_pins (ref, session_id, agent_id, created_at) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS
       (SELECT 1 FROM image_pins WHERE ref = ?1 AND session_id IS ?2 AND agent_id IS ?3)`,
    [ref, sessionId ?? null, agentId ?? null, createdAt],
  );
  return changes > 0;
}

async function keepImage(
  tx: Transaction,
  ground: Ground,
  { ref, mime, extension, content }: Image,
): Promise<void> {
  const [row] = await tx.sql.all<{ extension: string }>(
    `INSERT INTO images (ref, mime, extension, bytes, created_at, used_at) VALUES (?, ?, ?, ?, ?5, ?5)
     ON CONFLICT (ref) DO UPDATE SET used_at = excluded.used_at RETURNING extension`,
    [ref, mime, extension, content.length, ground.now()],
  );
  // The file may have been evicted since it was written. While this transaction is open no file is deleted.
  await keepImageFile(ground, { ref, mime, content, extension: row?.extension ?? extension });
}

/** The number of links and pins of an image. */
export function countReferences(sql: Sql, ref: string): Promise<number> {
  return firstNumber(
    sql,
    `SELECT (SELECT count(*) FROM image_links WHERE ref = ?1) + (SELECT count(*) FROM image_pins WHERE ref = ?1)`,
    [ref],
  );
}

/** Links observations to the images that they refer to, whether these are stored already or will be. */
export async function linkStoredImages(
  sql: Sql,
  observations: readonly { readonly ref: string; readonly imageRef: string | undefined }[],
): Promise<void> {
  const pairs = observations.flatMap(({ ref, imageRef }) =>
    imageRef !== undefined && isImageReference(imageRef) ? [[ref, imageRef]] : [],
  );
  if (pairs.length === 0) return;
  await sql.run(
    `INSERT INTO image_links (observation_id, ref)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true
     ON CONFLICT (observation_id, ref) DO NOTHING`,
    [JSON.stringify(pairs)],
  );
}

/** Removes the image links of deleted observations; the sweep deletes images that nothing refers to. */
export async function unlinkImages(sql: Sql, observationIds: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM image_links WHERE observation_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(observationIds),
  ]);
}

/** Removes the pins that requests set for a session. */
export async function unpinImages(sql: Sql, sessionId: string): Promise<void> {
  await sql.run("DELETE FROM image_pins WHERE session_id = ?", [sessionId]);
}
