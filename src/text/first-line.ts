import { cutCodePoints } from "./code-points.ts";
import { cutAtGrapheme } from "./grapheme-clusters.ts";

/**
 * The first line of a text that is not blank, cut to `max` code points without splitting a user-perceived character;
 * used as a title.
 */
export function firstLine(text: string, max: number): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const whole = line.trim();
  return cutAtGrapheme(whole, cutCodePoints(whole, max).length);
}
