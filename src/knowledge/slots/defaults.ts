import type { Connection, Transaction } from "../../store/store.ts";
import type { SlotRow, SlotScope } from "./record.ts";
import {
  byPrecedence,
  type SlotRequest,
  type SlotView,
  slotsInView,
  storeResolvedLabels,
  unowned,
} from "./view.ts";

interface DefaultSlot {
  readonly label: string;
  readonly sizeLimit: number;
  readonly scope: SlotScope;
  readonly pinned: boolean;
  readonly description: string;
}

/** The slots that every project or agent has. Until somebody writes to one it is empty and not stored. */
const defaultSlots: readonly DefaultSlot[] = [
  { label: "persona", sizeLimit: 1_000, scope: "global", pinned: true, description: "Who the agent is" },
  {
    label: "user_preferences",
    sizeLimit: 2_000,
    scope: "global",
    pinned: true,
    description: "What the user likes and dislikes",
  },
  {
    label: "tool_guidelines",
    sizeLimit: 1_500,
    scope: "global",
    pinned: true,
    description: "How tools are to be used",
  },
  {
    label: "project_context",
    sizeLimit: 3_000,
    scope: "project",
    pinned: true,
    description: "What the project is and where things are",
  },
  {
    label: "guidance",
    sizeLimit: 1_500,
    scope: "project",
    pinned: true,
    description: "Advice for the work on this project",
  },
  {
    label: "pending_items",
    sizeLimit: 2_000,
    scope: "project",
    pinned: true,
    description: "What is left to do, one item a line",
  },
  {
    label: "session_patterns",
    sizeLimit: 1_500,
    scope: "project",
    pinned: false,
    description: "How the last session went",
  },
  {
    label: "self_notes",
    sizeLimit: 1_500,
    scope: "project",
    pinned: false,
    description: "The agent's notes to itself",
  },
];

/** The times of creation and change of a slot that nobody has written to. */
export const neverWritten = 0;

/**
 * The slots that a view shows in a scope, by precedence; for default labels that are not stored, empty slots.
 */
export async function visibleSlots(
  connection: Connection,
  view: SlotView,
  { project, scope }: SlotRequest,
): Promise<SlotRow[]> {
  const stored = await slotsInView(connection, view);
  const slots = [...stored, ...unwrittenDefaults(stored, view, project)];
  return slots.filter((slot) => scope === undefined || slot.scope === scope);
}

/** The same slots for writing: the writer's own unwritten defaults come before stored slots of others. */
export async function slotsForWriting(
  tx: Transaction,
  view: SlotView,
  request: SlotRequest,
): Promise<SlotRow[]> {
  await storeResolvedLabels(tx, view);
  return byPrecedence(await visibleSlots(tx, view, request), view);
}

/** The default slots that the viewer does not have yet; none if the view shows everybody's slots. */
function unwrittenDefaults(
  stored: readonly SlotRow[],
  { keys, owners }: SlotView,
  project: string | undefined,
): SlotRow[] {
  const owner = owners?.[0];
  if (owner === undefined) return [];
  const ownKeys = keys.length === 0 ? [unowned] : keys;
  const isStored = ({ label, scope }: DefaultSlot) =>
    stored.some(
      (row) =>
        row.agentId === owner &&
        row.label === label &&
        row.scope === scope &&
        (scope === "global" || ownKeys.includes(row.projectKey)),
    );
  return defaultSlots
    .filter((slot) => !isStored(slot))
    .map((slot) => ({
      ...slot,
      projectKey: (slot.scope === "project" && keys[0]) || unowned,
      project: (slot.scope === "project" && project) || null,
      agentId: owner,
      content: "",
      readOnly: false,
      createdAt: neverWritten,
      updatedAt: neverWritten,
    }));
}
