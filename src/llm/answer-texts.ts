import * as z from "zod";
import { cutCodePoints } from "../text/code-points.ts";

/*
 * Cleans up texts in a model's answer. Providers do not enforce limits on counts and lengths, so both are cut
 * afterwards.
 */

/** A text that must not be blank; otherwise the model is told so and asked again. */
export const neededText = z.string().refine((text) => text.trim() !== "", "must not be blank");

interface Bounds {
  readonly most: number;
  /** Longest length of a text, in Unicode code points. */
  readonly longest: number;
}

/** The trimmed texts without blanks and duplicates, cut to the bounds. */
export function tidyTexts(texts: readonly string[], { most, longest }: Bounds): string[] {
  const cut = texts.map((text) => cutCodePoints(text.trim(), longest)).filter((text) => text !== "");
  return [...new Set(cut)].slice(0, most);
}
