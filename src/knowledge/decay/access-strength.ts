import { dayMs } from "../../time/durations.ts";

/*
 * Strength of facts and procedures: a tenth is lost for each full period without access, computed when it is read.
 */

const kept = 0.9;
const leastStrength = 0.1;

interface AccessStrength {
  /** 0 to 1, as of the last access. */
  readonly strength: number;
  readonly lastAccessedAt: number;
}

/** Strength at a time, four decimals. */
export function accessStrengthAt(
  { strength, lastAccessedAt }: AccessStrength,
  now: number,
  periodDays: number,
): number {
  const periods = Math.floor(Math.max(0, now - lastAccessedAt) / (periodDays * dayMs));
  return Math.round(Math.max(leastStrength, strength * kept ** periods) * 10_000) / 10_000;
}
