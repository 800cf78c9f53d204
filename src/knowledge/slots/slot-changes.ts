import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { commandKind } from "../../capture/observations/rules/command-kind.ts";
import { isTemporaryFile } from "../../capture/observations/rules/file-paths.ts";
import { isRefusal } from "../../capture/observations/rules/refusals.ts";
import { isFileChange } from "../../capture/observations/rules/tool-kind.ts";
import { countCodePoints, cutCodePoints } from "../../text/code-points.ts";
import { tally } from "../../text/tally.ts";
import { todoLines } from "../summaries/open-items.ts";
import type { SlotRow } from "./record.ts";

/*
 * Rules for what a session leaves in the slots of its project: open items, how it went, and its files.
 * Read-only slots stay as they are.
 */

const mostFiles = 20;
const mostKinds = 8;

type Reflected = Pick<SessionObservation, "type" | "hookType" | "title" | "narrative" | "files">;

interface SessionReview {
  readonly seen: readonly Reflected[];
  /** The commands that were run. */
  readonly commands: readonly string[];
}

const writers: Readonly<Record<string, (slot: SlotRow, session: SessionReview) => string>> = {
  pending_items: withPendingItems,
  session_patterns: sessionPatterns,
  project_context: withNewFiles,
};

/** The slots that a session changes, with their new content. */
export function slotChanges(
  slots: readonly SlotRow[],
  session: SessionReview,
): { readonly slot: SlotRow; readonly content: string }[] {
  return Object.entries(writers).flatMap(([label, write]) => {
    const slot = slots.find((one) => one.label === label);
    if (slot === undefined || slot.readOnly) return [];
    const content = write(slot, session);
    return content === slot.content ? [] : [{ slot, content }];
  });
}

/** One item per line, without repeats; the oldest are dropped when there is no room. */
function withPendingItems({ content, sizeLimit }: SlotRow, { seen }: SessionReview): string {
  const fresh = todoLines(seen).map((line) => cutCodePoints(line, sizeLimit));
  const known = linesOf(content);
  const added = [...new Set(fresh)].filter((line) => !known.includes(line));
  if (added.length === 0) return content;
  const items = [...known, ...added];
  while (items.length > 1 && countCodePoints(items.join("\n")) > sizeLimit) items.shift();
  return items.join("\n");
}

/** The most frequent errors and kinds of commands, with counts. */
function sessionPatterns({ sizeLimit }: SlotRow, { seen, commands }: SessionReview): string {
  const errors = seen
    .filter(({ type, title }) => type === "error" && !isRefusal(title))
    .map(({ title }) => title);
  const kinds = commands.flatMap((command) => commandKind(command) ?? []);
  return cutCodePoints([...counts("errors", errors), ...counts("commands", kinds)].join("\n"), sizeLimit);
}

function counts(name: string, kinds: readonly string[]): string[] {
  const lines = tally(kinds).map(({ value, count }) => `- ${value} (${count}×)`);
  return [`${name}: ${kinds.length}`, ...lines.slice(0, mostKinds)];
}

/**
 * Adds files that are not listed yet, one per line, changed ones first, as long as they fit. Searches are
 * ignored: their target is mostly a folder.
 */
function withNewFiles({ content, sizeLimit }: SlotRow, { seen }: SessionReview): string {
  const changed = seen.filter(isFileChange);
  const others = seen.filter(({ type }) => type !== "search");
  const files = new Set(
    [...changed, ...others].flatMap((one) => one.files.filter((file) => !isTemporaryFile(file))),
  );
  const known = linesOf(content);
  let grown = content;
  for (const file of [...files].filter((name) => !known.includes(name)).slice(0, mostFiles)) {
    const next = grown === "" ? file : `${grown}\n${file}`;
    if (countCodePoints(next) > sizeLimit) break;
    grown = next;
  }
  return grown;
}

function linesOf(content: string): string[] {
  return content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
