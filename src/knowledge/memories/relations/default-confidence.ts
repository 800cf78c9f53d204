import { roundTo } from "../../../round-to.ts";
import { dayMs } from "../../../time/durations.ts";
import type { MemoryRow } from "../record.ts";
import type { RelationType } from "./record.ts";

const mostSharedSessions = 3;
const recentDays = 7;
const longAgoDays = 90;
const byType: Readonly<Partial<Record<RelationType, number>>> = { supersedes: 0.1, contradicts: -0.05 };

type Related = Pick<MemoryRow, "sessionIds" | "updatedAt">;

/**
 * The confidence of a relation when none was given, from 0.35 to 1: higher between memories of the same sessions and of
 * recent times.
 */
export function defaultConfidence(source: Related, target: Related, type: RelationType, now: number): number {
  const shared = source.sessionIds.filter((id) => target.sessionIds.includes(id)).length;
  const ages = [source, target].map(({ updatedAt }) => (now - updatedAt) / dayMs);
  const recency = Math.max(...ages) <= recentDays ? 0.1 : Math.min(...ages) > longAgoDays ? -0.1 : 0;
  return roundTo(0.5 + 0.1 * Math.min(mostSharedSessions, shared) + recency + (byType[type] ?? 0), 4);
}
