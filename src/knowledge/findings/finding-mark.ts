import type { MemoryOrigin } from "../memories/memory-origin.ts";

/** What the origin of a memory says in detail if rules made it of what an agent found out. */
export const findingDetail = "finding";

/** SQL condition on memories: rules made it of what an agent found out. */
export const isFindingSql = `(type = 'bug' AND coalesce(json_extract(origin, '$.channel') = 'consolidation'
  AND json_extract(origin, '$.detail') = '${findingDetail}', 0))`;

export function isFinding(origin: MemoryOrigin | null): boolean {
  return origin?.channel === "consolidation" && origin.detail === findingDetail;
}
