import { roundTo } from "../../round-to.ts";
import { ageMs } from "../../time/age.ts";
import { dayMs, weekMs } from "../../time/durations.ts";

/*
 * Confidence in a conclusion (lesson, insight) falls by a fixed step for each full week in which nothing
 * confirms it. It is computed when it is read: nothing is written as time passes, so nothing can compound.
 */

export const leastConfidence = 0.05;
const reinforcement = 0.1;
/**
 * At or below it, the daily sweep drops conclusions that were never confirmed; below it, no session starts
 * with them.
 */
export const decayThreshold = 0.1;
/** Per week. */
export const defaultDecayRate = 0.05;

export interface ConfidenceCurve {
  /** 0 to 1, as of the last reinforcement, or of creation. */
  readonly confidence: number;
  /** Per full week. */
  readonly decayRate: number;
  readonly createdAt: number;
  readonly lastReinforcedAt: number | null;
}

/** The confidence at a time, rounded to four decimals; without decay the stored one. */
export function confidenceAt(curve: ConfidenceCurve, now: number, decays: boolean): number {
  const weeks = decays ? Math.floor(ageMs(now, confirmedAt(curve)) / weekMs) : 0;
  return roundTo(Math.max(leastConfidence, curve.confidence - curve.decayRate * weeks), 4);
}

/** The confidence to store after a reinforcement at that time. */
export function reinforcedConfidence(curve: ConfidenceCurve, now: number, decays: boolean): number {
  const confidence = confidenceAt(curve, now, decays);
  return confidence + reinforcement * (1 - confidence);
}

/**
 * The rank of a hit: its keyword score as a share of the best one, weighted by confidence and by how recently
 * it was confirmed.
 */
export function confidenceScore(
  curve: ConfidenceCurve,
  keywordShare: number,
  now: number,
  decays: boolean,
): number {
  const days = ageMs(now, confirmedAt(curve)) / dayMs;
  return roundTo((confidenceAt(curve, now, decays) * keywordShare) / (1 + 0.01 * days), 6);
}

function confirmedAt({ lastReinforcedAt, createdAt }: ConfidenceCurve): number {
  return lastReinforcedAt ?? createdAt;
}
