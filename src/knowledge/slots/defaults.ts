import type { Projects } from "../../capture/projects/projects.ts";
import type { Transaction } from "../../store/store.ts";
import type { SlotRow, SlotScope } from "./record.ts";
import { memorySlots } from "./tables.ts";
import { none, ofScope, type SlotRequest, type SlotView, slotsInView } from "./view.ts";

interface DefaultSlot {
  readonly label: string;
  readonly sizeLimit: number;
  readonly scope: SlotScope;
  readonly pinned: boolean;
  readonly description: string;
}

/** The slots that everybody has, empty until something is written into them. */
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

/** Default slots that the owner has not got yet; where everybody's are seen, none are made. */
export function lackingDefaults(
  rows: readonly SlotRow[],
  { keys }: SlotView,
  owner: string | undefined,
): readonly DefaultSlot[] {
  if (owner === undefined) return [];
  const ownKeys = keys.length === 0 ? [none] : keys;
  const has = ({ label, scope }: DefaultSlot) =>
    rows.some(
      (row) =>
        row.agentId === owner &&
        row.label === label &&
        row.scope === scope &&
        (scope === "global" || ownKeys.includes(row.projectKey)),
    );
  return defaultSlots.filter((slot) => !has(slot));
}

interface Asked {
  readonly view: SlotView;
  readonly request: SlotRequest;
  /** Whose default slots appear. */
  readonly owner: string | undefined;
  readonly now: number;
}

/** The slots of a view in the asked scope, the preferred first, after the default ones have appeared. */
export async function completedSlots(
  tx: Transaction,
  projects: Projects,
  { view, request, owner, now }: Asked,
): Promise<SlotRow[]> {
  const { project, scope } = request;
  const rows = await slotsInView(tx, view);
  const lacking = lackingDefaults(rows, view, owner);
  if (owner === undefined || lacking.length === 0) return ofScope(rows, scope);
  const projectKey = project === undefined ? none : await projects.writeKey(tx.sql, project);
  const fresh = lacking.map((slot): SlotRow => {
    const isGlobal = slot.scope === "global";
    return {
      ...slot,
      projectKey: isGlobal ? none : projectKey,
      project: isGlobal ? null : (project ?? null),
      agentId: owner,
      content: "",
      readOnly: false,
      createdAt: now,
      updatedAt: now,
    };
  });
  await tx.orm.insert(memorySlots).values(fresh).onConflictDoNothing();
  return ofScope(await slotsInView(tx, view), scope);
}
