import { cutCodePoints } from "./estimate.ts";

/** The first line of a text that is not blank, cut to so many code points: what stands for a title. */
export function firstLine(text: string, max: number): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return cutCodePoints(line.trim(), max);
}
