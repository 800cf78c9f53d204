import { countCodePoints } from "./code-points.ts";

const charactersPerToken = 3;

/** Estimated number of model tokens in a text: a third of its code points, rounded up. */
export function tokenEstimate(text: string): number {
  return Math.ceil(countCodePoints(text) / charactersPerToken);
}
