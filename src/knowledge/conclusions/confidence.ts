import { dayMs, weekMs } from "../../time/durations.ts";

/*
 * Confidence in what was concluded (lessons, insights) fades by a fixed step for each full week in which nothing
 * confirms it, and is computed when it is read: nothing is written as time passes, so nothing can compound.
 */

export const leastConfidence = 0.05;
const reinforcement = 0.1;
/** At or below it, what was never confirmed is dropped by the daily sweep; below it, no session begins with it. */
export const decayThreshold = 0.1;
/** Per week. */
export const defaultDecayRate = 0.05;

export interface ConfidenceCurve {
  /** 0 to 1, as it was when it was last reinforced or made. */
  readonly confidence: number;
  /** Per full week. */
  readonly decayRate: number;
  readonly createdAt: number;
  readonly lastReinforcedAt: number | null;
}

/** Confidence at a time, four decimals; without decay as it was stored. */
export function confidenceAt(curve: ConfidenceCurve, now: number, decays: boolean): number {
  const weeks = decays ? Math.floor(Math.max(0, now - confirmedAt(curve)) / weekMs) : 0;
  return rounded(Math.max(leastConfidence, curve.confidence - curve.decayRate * weeks));
}

/** What is stored after a reinforcement at that time. */
export function reinforcedConfidence(curve: ConfidenceCurve, now: number, decays: boolean): number {
  const confidence = confidenceAt(curve, now, decays);
  return confidence + reinforcement * (1 - confidence);
}

/** How well a hit answers, given its keyword score as a share of the best one: sure and recently confirmed first. */
export function confidenceScore(
  curve: ConfidenceCurve,
  keywordShare: number,
  now: number,
  decays: boolean,
): number {
  const days = Math.max(0, now - confirmedAt(curve)) / dayMs;
  return Math.round((confidenceAt(curve, now, decays) * keywordShare * 1e6) / (1 + 0.01 * days)) / 1e6;
}

function confirmedAt({ lastReinforcedAt, createdAt }: ConfidenceCurve): number {
  return lastReinforcedAt ?? createdAt;
}

function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
