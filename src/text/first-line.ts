import { cutCodePoints } from "./code-points.ts";
import { cutAtGrapheme } from "./grapheme-clusters.ts";

/** The first line of a text that is not blank, cut to so many code points in whole characters: what stands for a title. */
export function firstLine(text: string, max: number): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const whole = line.trim();
  return cutAtGrapheme(whole, cutCodePoints(whole, max).length);
}
