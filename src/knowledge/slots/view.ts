import { and, inArray } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentFilter, AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { SlotRow, SlotScope } from "./record.ts";
import { resolveLabels, storeLabels } from "./resolve-labels.ts";
import { memorySlots } from "./tables.ts";

/*
 * Which slots a request sees. Under each label one is shown: that of the given project, else that of the
 * default project, else the global one. Agents that are not isolated share slots; isolated ones each have
 * their own.
 */

/** The key of the default project, and of no agent. */
export const unowned = "";

export interface SlotView {
  /** Keys of the given project, the one to write under first; empty for the default project. */
  readonly keys: readonly string[];
  /** The owners whose slots are seen, the caller's first; undefined for everybody's. */
  readonly owners: readonly string[] | undefined;
}

export interface SlotRequest extends ScopeRequest {
  readonly project?: string | undefined;
  readonly scope?: SlotScope | undefined;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

/** The view of a request. Error: invalid_input when agents are isolated and none is named. */
export async function viewOf(
  { sql }: Connection,
  { agents, projects }: Services,
  request: SlotRequest,
): Promise<SlotView> {
  const owners = ownersIn(agents, await agents.reader(sql, request));
  const { project } = request;
  if (project === undefined) return { keys: [], owners };
  const present = await projects.presentKey(sql, project);
  return { keys: [...new Set([present, ...(await projects.readKeys(sql, project))])], owners };
}

/** The owners whose slots a reader sees. */
export function ownersIn(agents: AgentScopes, filter: AgentFilter): readonly string[] | undefined {
  if (!agents.isolated) return [unowned];
  if (filter.kind === "everyone") return undefined;
  return filter.includeOrphans ? [filter.agentId, unowned] : [filter.agentId];
}

/** Every stored slot that the view may show, in order of precedence. */
export async function slotsInView(connection: Connection, view: SlotView): Promise<SlotRow[]> {
  const slots = resolveLabels(await storedSlots(connection, view), view.keys);
  return byPrecedence(
    slots.map(({ row }) => row),
    view,
  );
}

/** Stores the slots of the view under the labels that it shows, so that they can be written. */
export async function storeResolvedLabels(tx: Transaction, view: SlotView): Promise<void> {
  await storeLabels(tx, resolveLabels(await storedSlots(tx, view), view.keys));
}

async function storedSlots({ orm }: Connection, view: SlotView): Promise<SlotRow[]> {
  return orm
    .select()
    .from(memorySlots)
    .where(
      and(
        inArray(memorySlots.projectKey, [...view.keys, unowned]),
        view.owners === undefined ? undefined : inArray(memorySlots.agentId, [...view.owners]),
      ),
    );
}

/**
 * Slots of the given project come before those of the default project and global ones; own ones before
 * others'.
 */
export function byPrecedence(rows: readonly SlotRow[], { keys, owners }: SlotView): SlotRow[] {
  const ranked = [...keys, unowned];
  const rank = (row: SlotRow) => (row.scope === "global" ? ranked.length : ranked.indexOf(row.projectKey));
  const owner = (row: SlotRow) => owners?.indexOf(row.agentId) ?? 0;
  return [...rows].sort((a, b) => rank(a) - rank(b) || owner(a) - owner(b) || a.createdAt - b.createdAt);
}

/**
 * The slot that is shown under each label, sorted by label; if everybody's slots are seen, one for each
 * agent.
 */
export function shownByLabel(ordered: readonly SlotRow[], { owners }: SlotView): SlotRow[] {
  const shown = new Map<string, SlotRow>();
  for (const row of ordered) {
    const name = owners === undefined ? `${row.label}\n${row.agentId}` : row.label;
    if (!shown.has(name)) shown.set(name, row);
  }
  return [...shown.values()].sort((a, b) => compareTexts(a.label, b.label));
}

/** The first slot with a label. Error: not_found. */
export function slotByLabel(ordered: readonly SlotRow[], label: string, { keys }: SlotView): SlotRow {
  const row = ordered.find((slot) => slot.label === label);
  if (row !== undefined) return row;
  throw new MemsvcError("not_found", `there is no slot ${label}`, {
    hint:
      keys.length === 0
        ? "name its project, or see which ones there are without one: memsvc slot list"
        : "see which ones there are: memsvc slot list",
  });
}
