import type { Observation } from "../../capture/observations/record.ts";
import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";
import { groupBy } from "../../group-by.ts";
import { shortened } from "../context/safe-text.ts";

const longestAsked = 200;
const longestChange = 90;
const changesShown = 3;

/** The prompt that led to each observation, by the observation's id. */
export type Asked = ReadonlyMap<string, string>;

/**
 * Lines on the edits of one file, one for each prompt that led to some: day, number of edits, the prompt, and the place
 * where the new text first differs from the old. The tool's input would be longer and say less.
 */
export function editLines(edits: readonly Observation[], asked: Asked): string[] {
  const byPurpose = groupBy(edits, ({ id, sessionId }) => JSON.stringify([sessionId, asked.get(id)]));
  return [...byPurpose.values()].map((made) => {
    const [last] = made;
    const verb = made.every(({ type }) => type === "file_write") ? "written" : "edited";
    const times = made.length === 1 ? "" : ` ${made.length}×`;
    const purpose = asked.get(last.id) ?? "";
    const reason = purpose === "" ? "" : ` for "${shortened(purpose, longestAsked)}"`;
    const changes = [...new Set(made.flatMap(({ facts }) => changeIn(facts) ?? []))].slice(0, changesShown);
    const shown = changes.length === 0 ? "" : `: ${changes.join(" | ")}`;
    return `- ${verb} ${last.timestamp.slice(0, 10)}${times}${reason}${shown}`;
  });
}

function changeIn(facts: readonly string[]): string | undefined {
  const [change] = textsAfterLabel("change", facts);
  return change === undefined ? undefined : shortened(change, longestChange);
}
