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

/** The slots that everybody has, empty and not stored until something is written into them. */
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

/** When slots were made and changed that nobody has written into. */
export const neverWritten = 0;

/** The slots that a view shows in a scope, the preferred first; where none of a default label is stored, an empty one. */
export async function visibleSlots(
  connection: Connection,
  view: SlotView,
  { project, scope }: SlotRequest,
): Promise<SlotRow[]> {
  const stored = await slotsInView(connection, view);
  const slots = [...stored, ...unwrittenDefaults(stored, view, project)];
  return slots.filter((slot) => scope === undefined || slot.scope === scope);
}

/** Those slots as they are written: default ones that the viewer has not got yet come before stored ones of others. */
export async function slotsForWriting(
  tx: Transaction,
  view: SlotView,
  request: SlotRequest,
): Promise<SlotRow[]> {
  await storeResolvedLabels(tx, view);
  return byPrecedence(await visibleSlots(tx, view, request), view);
}

/** Default slots that the viewer has not got yet; where everybody's are seen, there are none. */
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
