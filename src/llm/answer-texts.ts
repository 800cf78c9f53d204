import * as z from "zod";
import { cutCodePoints } from "../text/code-points.ts";

/* Texts of a model's answer. Providers do not hold a model to counts and lengths, so both are cut when it has answered. */

/** A text without which an answer is of no use: the model is told so, and asked again. */
export const neededText = z.string().refine((text) => text.trim() !== "", "must not be blank");

interface Bounds {
  readonly most: number;
  /** Unicode code points of each text. */
  readonly longest: number;
}

/** The texts of a list, trimmed, without blank ones and repeats, within bounds. */
export function tidyTexts(texts: readonly string[], { most, longest }: Bounds): string[] {
  const cut = texts.map((text) => cutCodePoints(text.trim(), longest)).filter((text) => text !== "");
  return [...new Set(cut)].slice(0, most);
}
