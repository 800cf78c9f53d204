import type { Writing } from "../../governance/transfer/collection.ts";
import { restoreDeleted } from "../../governance/transfer/restore-deleted.ts";

/**
 * When things of a file that are not stored yet were changed, in their order: as the newest of their rows says, and
 * later where the file brings them back; now where they tell no time. `ids` are those under which they will be stored.
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
