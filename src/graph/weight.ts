import { roundTo } from "../round-to.ts";

/** Weight of an edge when the model or file gives none. */
export const defaultWeight = 0.5;

/** Assumed probability that one source is wrong about an edge. */
const doubt = 0.7;

interface Weighed {
  readonly givenWeight: number | null;
  readonly structural: number;
  readonly sourceCount: number;
}

/**
 * Weight of an edge, above 0 and at most 1: 1 − 0.7ⁿ for n sources in which rules found it, or the weight that a model
 * or a file gave if that is more. It is computed when it is read, because the database that we use has no power
 * function.
 */
export function edgeWeight({ givenWeight, structural, sourceCount }: Weighed): number {
  const counted = structural === 1 ? 1 - doubt ** Math.max(1, sourceCount) : 0;
  return Math.max(givenWeight ?? 0, counted);
}

/** So that no edge shows a weight of nothing. */
export const leastShownWeight = 0.0001;

/** A weight as answers and files show it. */
export function shownWeight(weight: number): number {
  return Math.max(leastShownWeight, roundTo(weight, 4));
}
