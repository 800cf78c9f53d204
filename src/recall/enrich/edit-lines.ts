import type { Observation } from "../../capture/observations/record.ts";
import { shortened } from "../context/safe-text.ts";

const longestAsked = 100;
const longestChange = 90;
const changesShown = 3;
const changeMark = "change: ";

/** The beginnings of prompts that sessions were opened with, by session id. */
export type Asked = ReadonlyMap<string, string>;

/**
 * Edits of one file, a line for each session: the day, how many, what for, and where the new text first differs from
 * the old. The tool's input would say less at greater length: it begins with the path, and with what is gone.
 */
export function editLines(edits: readonly Observation[], asked: Asked): string[] {
  const bySession = new Map<string, Observation[]>();
  for (const edit of edits) bySession.set(edit.sessionId, [...(bySession.get(edit.sessionId) ?? []), edit]);
  return [...bySession].map(([sessionId, made]) => {
    const verb = made.every(({ type }) => type === "file_write") ? "written" : "edited";
    const times = made.length === 1 ? "" : ` ${made.length}×`;
    const purpose = asked.get(sessionId) ?? "";
    const reason = purpose === "" ? "" : ` for "${shortened(purpose, longestAsked)}"`;
    const changes = [...new Set(made.flatMap(({ facts }) => changeIn(facts) ?? []))].slice(0, changesShown);
    const shown = changes.length === 0 ? "" : `: ${changes.join(" | ")}`;
    return `- ${verb} ${made[0]?.timestamp.slice(0, 10)}${times}${reason}${shown}`;
  });
}

function changeIn(facts: readonly string[]): string | undefined {
  const fact = facts.find((one) => one.startsWith(changeMark));
  return fact === undefined ? undefined : shortened(fact.slice(changeMark.length), longestChange);
}

export function isEdit({ type }: { readonly type: string }): boolean {
  return type === "file_edit" || type === "file_write";
}
