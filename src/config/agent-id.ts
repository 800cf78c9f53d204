import { cutCodePoints } from "../text/code-points.ts";

/** Longer agent ids are cut, not refused (contract: requests, effective agent). */
export const longestAgentId = 128;

export function cutAgentId(id: string): string {
  return cutCodePoints(id, longestAgentId);
}
