import type { Ground } from "../../ground.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import type { Image } from "./decode.ts";
import { keepImageFile } from "./files.ts";

/** Ties images to the observation that they came with, in its transaction. */
export async function linkImages(
  tx: Transaction,
  ground: Ground,
  observationId: string,
  images: readonly Image[],
): Promise<void> {
  const now = ground.now();
  for (const { ref, mime, extension, content } of images) {
    const [row] = await tx.sql.all<{ extension: string }>(
      `INSERT INTO images (ref, mime, extension, bytes, created_at, used_at) VALUES (?, ?, ?, ?, ?5, ?5)
       ON CONFLICT (ref) DO UPDATE SET used_at = excluded.used_at RETURNING extension`,
      [ref, mime, extension, content.length, now],
    );
    // The file may have had to make room since it was written; no file goes while this transaction is open.
    await keepImageFile(ground, { ref, mime, content, extension: row?.extension ?? extension });
    await tx.sql.run(
      "INSERT INTO image_links (observation_id, ref) VALUES (?, ?) ON CONFLICT (observation_id, ref) DO NOTHING",
      [observationId, ref],
    );
  }
}

/** Unties the images of observations that are deleted; images that nothing names any more go by themselves. */
export async function unlinkImages(sql: Sql, observationIds: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM image_links WHERE observation_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(observationIds),
  ]);
}
