/** Where a model or a file does not say how sure it is. */
export const unsaidWeight = 0.5;

/** How likely one source is to be wrong about an edge. */
const doubt = 0.7;

interface Weighed {
  readonly givenWeight: number | null;
  readonly structural: number;
  readonly sourceCount: number;
}

/**
 * Weight of an edge, above 0 and at most 1: with n rows that speak for it 1 − 0.7ⁿ, or what a model or a file said
 * if that is more. The database that we use has no powers, so weights are made of what is stored when they are read.
 */
export function edgeWeight({ givenWeight, structural, sourceCount }: Weighed): number {
  const counted = structural === 1 ? 1 - doubt ** Math.max(1, sourceCount) : 0;
  return Math.max(givenWeight ?? 0, counted);
}

/** A weight as answers and files show it. */
export function shownWeight(weight: number): number {
  return Math.round(weight * 1e4) / 1e4;
}
