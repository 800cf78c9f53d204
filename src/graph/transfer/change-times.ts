import type { Writing } from "../../governance/transfer/collection.ts";
import { restoreDeleted } from "../../governance/transfer/restore-deleted.ts";

/**
 * Times of change of things of a file that are not stored yet, in their order: the newest time among their rows (now
 * for rows without one), or a later one when the file restores something deleted. `ids`: under which they will be
 * stored.
 */
export async function changeTimes(
  writing: Writing,
  kind: "graphNode" | "graphEdge",
  ids: readonly string[],
  fresh: readonly { readonly rows: readonly { readonly updatedAt?: number | undefined }[] }[],
): Promise<number[]> {
  const now = writing.ground.now();
  const things = fresh.map(({ rows }, at) => ({
    id: ids[at] ?? "",
    updatedAt: Math.max(...rows.map(({ updatedAt }) => updatedAt ?? now)),
  }));
  const back = await restoreDeleted(writing, kind, things);
  return things.map(({ id, updatedAt }) => back.get(id) ?? updatedAt);
}
