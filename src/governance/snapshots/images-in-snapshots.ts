import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "../../ground.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { longestMakingMs } from "../../paths/remove-unfinished.ts";
import { rowsInFile } from "../../store/database-file.ts";
import { snapshotsFolder } from "./snapshot-files.ts";

/**
 * Which of the given images a snapshot refers to: their files have to stay, or the restored store would lack
 * them. Read from the snapshot databases themselves, so it works for those of any version. While a snapshot
 * is being made its contents are unknown, so all images count as referred to.
 */
export function imagesInSnapshots(ground: Pick<Ground, "home">, refs: readonly string[]): Set<string> {
  const folder = snapshotsFolder(ground.home);
  if (refs.length === 0 || !existsSync(folder)) return new Set();
  const held = new Set<string>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/^snp_[0-9a-z]{26}\.db(?:\.\d+)?(?:\.part)+$/u.test(name) && isBeingMade(path)) return new Set(refs);
    if (!/^snp_[0-9a-z]{26}\.db$/u.test(name)) continue;
    for (const ref of imagesIn(path, refs)) held.add(ref);
  }
  return held;
}

function isBeingMade(path: string): boolean {
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changedMs === undefined || Date.now() - changedMs <= longestMakingMs;
}

function imagesIn(path: string, refs: readonly string[]): string[] {
  try {
    const rows = rowsInFile<{ ref: string }>(
      path,
      "images",
      "SELECT ref FROM images WHERE ref IN (SELECT value FROM json_each(?))",
      [JSON.stringify(refs)],
    );
    return rows.map(({ ref }) => ref);
  } catch (error) {
    // A damaged snapshot is never restored.
    if (isMemsvcError(error, "store_damaged")) return [];
    throw error;
  }
}
