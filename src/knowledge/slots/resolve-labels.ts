import { groupBy } from "../../group-by.ts";
import { isAbsolute } from "../../paths/path-text.ts";
import type { Transaction } from "../../store/store.ts";
import type { SlotRow } from "./record.ts";

/*
 * When several folders become one project, each may have a slot with the same label. The one that was written
 * last keeps the label; the others are shown under the next free `<label>_2`, `<label>_3`, … This is only
 * stored when slots of the project are written, so that folders that are separated again get their slots
 * back.
 */

const longestLabel = 64;

/** A slot with its shown label, and the label under which it is stored. */
interface ResolvedSlot {
  readonly row: SlotRow;
  readonly storedLabel: string;
}

/**
 * Resolves the labels of a view's slots: in a single project no two slots of one agent have the same label. `keys` are
 * the project's.
 */
export function resolveLabels(rows: readonly SlotRow[], keys: readonly string[]): ResolvedSlot[] {
  // A name that several checkouts share is not a single project: each checkout has its slots under its path.
  const isOne = keys[0] !== undefined && isAbsolute(keys[0]);
  const groups = groupBy(rows, ({ scope, projectKey, agentId, label }) => {
    const isOfProject = isOne && scope === "project" && keys.includes(projectKey);
    return [isOfProject || `${scope} ${projectKey}`, agentId, label].join("\n");
  });
  const taken = new Set(rows.map(({ label }) => label));
  return [...groups.values()].flatMap((group) => resolveGroup(group, taken));
}

function resolveGroup(group: readonly SlotRow[], taken: Set<string>): ResolvedSlot[] {
  const shown = new Set<string>();
  return [...group].sort(lastWrittenFirst).flatMap((row, at) => {
    const content = row.content.trim();
    // A slot that is empty or repeats another one is not shown.
    if (at > 0 && (content === "" || shown.has(content))) return [];
    shown.add(content);
    return [{ row: at === 0 ? row : { ...row, label: freeLabel(row.label, taken) }, storedLabel: row.label }];
  });
}

/** Stores slots under their shown labels, before any of them is written. */
export async function storeLabels({ sql }: Transaction, slots: readonly ResolvedSlot[]): Promise<void> {
  for (const { row, storedLabel } of slots) {
    const { scope, label, projectKey, agentId } = row;
    if (label === storedLabel) continue;
    await sql.run(
      "UPDATE memory_slots SET label = ? WHERE scope = ? AND label = ? AND project_key = ? AND agent_id = ?",
      [label, scope, storedLabel, projectKey, agentId],
    );
  }
}

function lastWrittenFirst(a: SlotRow, b: SlotRow): number {
  const isBlank = ({ content }: SlotRow) => Number(content.trim() === "");
  return isBlank(a) - isBlank(b) || b.updatedAt - a.updatedAt;
}

function freeLabel(label: string, taken: Set<string>): string {
  for (let at = 2; ; at += 1) {
    const suffix = `_${at}`;
    const free = label.slice(0, longestLabel - suffix.length) + suffix;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}
