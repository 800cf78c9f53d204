import { sentenceStops } from "../../text/sentence-ends.ts";

/* The parts of a narrative by rules, each introduced by its label, in this order. */

export const partLabels = {
  asked: "Asked",
  changed: "Changed",
  ran: "Ran",
  errors: "Errors",
  ended: "Ended with",
} as const;

/** Behind an error that a success followed. */
export const overcomeMark = " (later a success)";

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

/** The items of a part that is a list; several dots at the end belong to an item, such as `go test ./...`. */
export function itemsOfPart(list: string | undefined): string[] {
  return list === undefined ? [] : list.split("; ").map((item) => item.replace(/(?<!\.)\.$/u, ""));
}

const commitItem = /\bgit commit\b[^"'&|;]{0,80}(["'])((?:(?!\1).){3,300})/u;

/** The message of a commit among the commands; undefined for another command. */
function commitMessage(command: string): string | undefined {
  return commitItem.exec(command)?.[2];
}

/** What was run, with the messages of commits apart from other commands. */
export function commitsAndCommands(ran: string | undefined): { commits: string[]; commands: string[] } {
  const items = itemsOfPart(ran);
  return {
    commits: items.flatMap((item) => commitMessage(item) ?? []),
    commands: items.filter((item) => commitMessage(item) === undefined),
  };
}
