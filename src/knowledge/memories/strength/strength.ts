import { roundTo } from "../../../round-to.ts";
import { ageMs, ageSql } from "../../../time/age.ts";
import { dayMs, hourMs } from "../../../time/durations.ts";
import type { MemoryType } from "../record.ts";

/*
 * Strength follows a forgetting curve that is computed when it is read: R = s · e^(−Δ/S), with the anchor
 * value s, the days Δ since the anchor time, and the stability S in days. A recall moves the anchor and makes
 * the curve flatter. Nothing is written as time passes, so nothing can compound.
 */

const recallGain = 0.2;
const stabilityGrowth = 1.3;
const maxStabilityDays = 3_650;
export const recallSpacingMs = hourMs;

export interface StrengthCurve {
  readonly strengthAnchor: number;
  readonly strengthAnchorAt: number;
  readonly stabilityDays: number;
}

const initialStabilityDays: Readonly<Record<MemoryType, number>> = {
  architecture: 730,
  preference: 730,
  pattern: 365,
  workflow: 365,
  bug: 240,
  fact: 180,
};

/** The curve of a new version; an evolved memory keeps the stability it has gained by recalls. */
export function newCurve(type: MemoryType, now: number, earnedStabilityDays = 0): StrengthCurve {
  return {
    strengthAnchor: 1,
    strengthAnchorAt: now,
    stabilityDays: Math.max(initialStabilityDays[type], earnedStabilityDays),
  };
}

/** Strength at a time, 0 to 1. */
export function strengthAt(curve: StrengthCurve, now: number): number {
  const days = ageMs(now, curve.strengthAnchorAt) / dayMs;
  return curve.strengthAnchor * Math.exp(-days / curve.stabilityDays);
}

/** `strengthAt` in SQL, for a row of memories; `now` is the SQL for the time. */
export function strengthSql(now: string): string {
  return `strength_anchor * exp(-${ageSql(now, "strength_anchor_at")} / ${dayMs}.0 / stability_days)`;
}

/** The strength as answers show it: rounded to four decimals. */
export function shownStrength(curve: StrengthCurve, now: number): number {
  return roundTo(strengthAt(curve, now), 4);
}

/** The curve after a recall. */
export function recalledCurve(curve: StrengthCurve, now: number): StrengthCurve {
  const strength = strengthAt(curve, now);
  return {
    strengthAnchor: Math.min(1, strength + recallGain * (1 - strength)),
    strengthAnchorAt: now,
    stabilityDays: Math.min(maxStabilityDays, stabilityGrowth * curve.stabilityDays),
  };
}

/**
 * Recalls within one hour count as one. Compares the distance, as the last recall may be dated in the future
 * by a clock that was ahead.
 */
export function countsAsRecall(lastRecalledAt: number | null, now: number): boolean {
  return lastRecalledAt === null || Math.abs(now - lastRecalledAt) >= recallSpacingMs;
}
