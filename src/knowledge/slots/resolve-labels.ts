import { isAbsolute } from "../../paths/path-text.ts";
import type { Transaction } from "../../store/store.ts";
import type { SlotRow } from "./record.ts";
import type { SlotView } from "./view.ts";

/*
 * Folders that became one project may each have a slot of the same label. The one that was written last is the slot of
 * that label; what others hold is found under the next free `<label>_2`, `<label>_3`, … Nothing is stored of that until
 * slots of the project are written, so that folders that are separated again have what they had.
 */

const longestLabel = 64;

/** A slot, and the label under which it is stored where that is another one. */
interface ResolvedSlot {
  readonly row: SlotRow;
  readonly storedLabel: string;
}

/** The slots of a view; of a project that is one, no two of one agent have the same label. */
export function resolveLabels(rows: readonly SlotRow[], { keys }: Pick<SlotView, "keys">): ResolvedSlot[] {
  // A name that several checkouts have in common is no project of its own: each has its slots under its path.
  const isOne = keys[0] !== undefined && isAbsolute(keys[0]);
  const groups = new Map<string, SlotRow[]>();
  for (const row of rows) {
    const { scope, projectKey, agentId, label } = row;
    const isOfProject = isOne && scope === "project" && keys.includes(projectKey);
    const name = [isOfProject || `${scope} ${projectKey}`, agentId, label].join("\n");
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const taken = new Set(rows.map(({ label }) => label));
  return [...groups.values()].flatMap((group) => resolveGroup(group, taken));
}

function resolveGroup(group: readonly SlotRow[], taken: Set<string>): ResolvedSlot[] {
  const shown = new Set<string>();
  return [...group].sort(lastWrittenFirst).flatMap((row, at) => {
    const content = row.content.trim();
    // What says nothing more needs no label of its own.
    if (at > 0 && (content === "" || shown.has(content))) return [];
    shown.add(content);
    return [{ row: at === 0 ? row : { ...row, label: freeLabel(row.label, taken) }, storedLabel: row.label }];
  });
}

/** Stores slots under the labels that they are found under, before any of them is written. */
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
