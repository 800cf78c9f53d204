import { isTemporaryFile } from "../../capture/observations/calls/file-paths.ts";
import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import { commandKind } from "../../capture/observations/commands/command-kind.ts";
import { fileMoves } from "../../capture/observations/commands/file-moves.ts";
import { isRefusal } from "../../capture/observations/outputs/refusals.ts";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { countCodePoints, cutCodePoints } from "../../text/code-points.ts";
import { tally } from "../../text/tally.ts";
import { trimmedLines } from "../../text/trimmed-lines.ts";
import type { LeftOf } from "../open-work/done-work.ts";
import { todoLines } from "../open-work/open-items.ts";
import { mentionsTodo } from "../open-work/todo-cues.ts";
import type { SlotRow } from "./record.ts";

/*
 * Rules for what a session leaves in the slots of its project: open items, how it went, and its files.
 * Read-only slots stay as they are.
 */

const mostFiles = 20;
const mostKinds = 8;

type Reflected = Pick<
  SessionObservation,
  "timestamp" | "type" | "hookType" | "title" | "narrative" | "files"
>;

interface SessionReview {
  readonly seen: readonly Reflected[];
  /** The commands that were run. */
  readonly commands: readonly string[];
  /** What is left of an item, considering what was done since the first of `seen`. */
  readonly leftOf: LeftOf;
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

/**
 * One item per line, without repeats and without what was evidently done since; the oldest are dropped when there is no
 * room. Lines in other words than a session's are somebody's own and stay.
 */
function withPendingItems({ content, sizeLimit }: SlotRow, { seen, leftOf }: SessionReview): string {
  const [first] = seen;
  const before = trimmedLines(content);
  const known = before.flatMap((line) => (mentionsTodo(line) ? leftOf(line, first?.timestamp ?? 0) : [line]));
  const fresh = todoLines(seen, (line, { timestamp }) => leftOf(line, timestamp));
  const added = [...new Set(fresh.map((line) => cutCodePoints(line, sizeLimit)))].filter(
    (line) => !known.includes(line),
  );
  const items = [...known, ...added];
  if (items.join("\n") === before.join("\n")) return content;
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
 * Adds files that are not listed yet, one per line, changed ones first, as long as they fit, and drops those that the
 * session moved away or deleted. Searches are ignored: their target is mostly a folder.
 */
function withNewFiles({ content, sizeLimit }: SlotRow, { seen, commands }: SessionReview): string {
  const gone = commands.flatMap(fileMoves).flatMap(({ from }) => from);
  const isGone = (file: string): boolean => gone.some((one) => file === one || file.startsWith(`${one}/`));
  const changed = seen.filter(isFileChange);
  const others = seen.filter(({ type }) => type !== "search");
  const files = new Set(
    [...changed, ...others].flatMap((one) =>
      one.files.filter((file) => !isTemporaryFile(file) && !isGone(file)),
    ),
  );
  let grown = content
    .split("\n")
    .filter((line) => !isGone(line.trim()))
    .join("\n");
  const known = trimmedLines(grown);
  for (const file of [...files].filter((name) => !known.includes(name)).slice(0, mostFiles)) {
    const next = grown === "" ? file : `${grown}\n${file}`;
    if (countCodePoints(next) > sizeLimit) break;
    grown = next;
  }
  return grown;
}
