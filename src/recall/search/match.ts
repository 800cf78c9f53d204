import type { Explanation, Match } from "./record.ts";

/** How certain it is that a hit is what was meant; undefined for lessons, whose search does not tell. */
export function matchOf(streams: Explanation["streams"], isStrong: boolean): Match | undefined {
  if (isStrong) return "strong";
  const { keyword, vector, graph } = streams;
  return keyword === undefined && vector === undefined && graph === undefined ? undefined : "weak";
}
