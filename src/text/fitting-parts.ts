import { cutCodePoints } from "./code-points.ts";

interface Room {
  /** Code points of the whole text. */
  readonly most: number;
  /** Code points of a part. */
  readonly longest: number;
  /** Below that, the whole text is cut instead. */
  readonly shortest: number;
}

/** A text of parts that are shortened, all alike, until it fits: otherwise it would lose the last ones. */
export function withFittingParts(
  textOf: (longest: number) => string,
  { most, longest, shortest }: Room,
): string {
  let length = longest;
  let text = textOf(length);
  while (text.length > most && length > shortest) {
    length = Math.floor(length / 1.5);
    text = textOf(length);
  }
  return cutCodePoints(text, most);
}
