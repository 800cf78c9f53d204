import { roundTo } from "../../round-to.ts";
import { ageMs } from "../../time/age.ts";
import { dayMs } from "../../time/durations.ts";

/*
 * The strength of facts and procedures: each full period without access takes a tenth of it; computed when it
 * is read.
 */

const kept = 0.9;
const leastStrength = 0.1;

interface AccessStrength {
  /** 0 to 1, as of the last access. */
  readonly strength: number;
  readonly lastAccessedAt: number;
}

/** The strength at a time, rounded to four decimals. */
export function accessStrengthAt(
  { strength, lastAccessedAt }: AccessStrength,
  now: number,
  periodDays: number,
): number {
  const periods = Math.floor(ageMs(now, lastAccessedAt) / (periodDays * dayMs));
  return roundTo(Math.max(leastStrength, strength * kept ** periods), 4);
}
