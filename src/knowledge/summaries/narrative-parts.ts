import { sentenceStops } from "../../text/sentence-stops.ts";

/* The parts of a narrative by rules, each introduced by its label, in this order. */

export const partLabels = {
  asked: "Asked",
  changed: "Changed",
  ran: "Ran",
  errors: "Errors",
  ended: "Ended with",
} as const;

export type PartName = keyof typeof partLabels;

const names = Object.keys(partLabels) as readonly PartName[];
const labels = names.map((name) => partLabels[name]);
/** A part begins at the start of the text, or after the end of the previous one. */
const partStart = new RegExp(`(?:^|(?<=[${sentenceStops}] ))(?=(?:${labels.join("|")}): )`, "u");

/** The parts of a narrative without their labels; empty for a narrative not made by rules. */
export function narrativeParts(narrative: string): ReadonlyMap<PartName, string> {
  const parts = new Map<PartName, string>();
  for (const piece of narrative.split(partStart)) {
    const name = names.find((one) => piece.startsWith(`${partLabels[one]}: `));
    if (name === undefined || parts.has(name)) return new Map();
    parts.set(name, piece.slice(partLabels[name].length + 2).trim());
  }
  return parts;
}
