import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { isUnfinishedFile } from "../../paths/durable-file.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { firstColumn, firstNumber } from "../../store/sql.ts";
import { hourMs } from "../../time/durations.ts";
import { type ImageFile, imagesFolder, removeImageFiles } from "./files.ts";
import { deleteUnreferenced, unreferencedFirst } from "./unreferenced-images.ts";

/** A younger file may belong to an event that is being stored. */
const orphanAfterMs = hourMs;

/**
 * Deletes images until the rest fits the quota: first those larger than the whole quota (deleting others
 * would not make room for them), then unreferenced ones, then the least recently used.
 */
export async function keepWithinQuota(ground: Ground): Promise<void> {
  const quota = ground.settings.imageStoreMaxBytes;
  if ((await firstNumber(ground.store.read.sql, "SELECT sum(bytes) FROM images")) <= quota) return;
  const gone = await ground.store.write(async (tx) => {
    const rows = await tx.sql.all<ImageFile & { bytes: number }>(
      `SELECT ref, extension, bytes FROM images ORDER BY bytes <= ?, ${unreferencedFirst}, used_at, ref`,
      [quota],
    );
    let excess = rows.reduce((total, { bytes }) => total + bytes, -quota);
    const leaving: ImageFile[] = [];
    for (const row of rows) {
      if (excess <= 0) break;
      leaving.push(row);
      excess -= row.bytes;
    }
    await tx.sql.run("DELETE FROM images WHERE ref IN (SELECT value FROM json_each(?))", [
      JSON.stringify(leaving.map(({ ref }) => ref)),
    ]);
    return leaving;
  });
  await removeUnknownFiles(ground, gone);
}

/**
 * Deletes images that nothing refers to, and files without an image row. Returns how many images were
 * deleted.
 */
export async function sweepImages(ground: Ground, audit: Audit): Promise<number> {
  const unnamed = await ground.store.write(async (tx) => {
    const rows = await deleteUnreferenced(tx.sql);
    const refs = rows.map(({ ref }) => ref);
    if (refs.length > 0) await audit.recordSweep(tx, refs, { images: refs.length });
    return rows;
  });
  await removeUnknownFiles(ground, [...unnamed, ...(await orphans(ground))]);
  return unnamed.length;
}

/**
 * Deletes files in a transaction that checks that no row refers to them: an event that brings the same image
 * again has either written its row before, or finds the file missing and writes it again.
 */
export async function removeUnknownFiles(ground: Ground, files: readonly ImageFile[]): Promise<void> {
  if (files.length === 0) return;
  await ground.store.write(async (tx) => {
    const query = "SELECT ref FROM images WHERE ref IN (SELECT value FROM json_each(?))";
    const refs = JSON.stringify(files.map(({ ref }) => ref));
    const known = new Set(await firstColumn(tx.sql, query, [refs]));
    removeImageFiles(
      ground,
      files.filter(({ ref }) => !known.has(ref)),
    );
  });
}

async function orphans(ground: Ground): Promise<ImageFile[]> {
  const folder = imagesFolder(ground.home);
  // No image has ever been stored.
  if (!existsSync(folder)) return [];
  // Half-written files are removed even if the image is known.
  await removeUnfinished(folder, isUnfinishedFile);
  const names = await readdir(folder);
  const old: ImageFile[] = [];
  for (const name of names) {
    const [, ref, extension] = /^([0-9a-f]{64})\.(.+)$/u.exec(name) ?? [];
    if (ref === undefined || extension === undefined || isUnfinishedFile(name)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (ground.now() - mtimeMs > orphanAfterMs) old.push({ ref, extension });
  }
  return old;
}
