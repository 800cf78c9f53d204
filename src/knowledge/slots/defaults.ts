import type { Transaction } from "../../store/store.ts";
import type { SlotRow, SlotScope } from "./record.ts";
import { memorySlots } from "./tables.ts";
import { none } from "./view.ts";

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

/** The default slots that are not among those of the view: they are to appear. */
export function missingDefaults(present: readonly SlotRow[], ownKeys: readonly string[]): DefaultSlot[] {
  const has = ({ label, scope }: DefaultSlot) =>
    present.some(
      (row) =>
        row.label === label &&
        row.scope === scope &&
        (scope === "global" || (ownKeys.length === 0 ? [none] : ownKeys).includes(row.projectKey)),
    );
  return defaultSlots.filter((slot) => !has(slot));
}

interface Place {
  readonly projectKey: string;
  readonly project: string | undefined;
  readonly agentId: string;
}

/** Writes default slots, empty; ones that are there meanwhile stay as they are. */
export async function addDefaults(
  tx: Transaction,
  missing: readonly DefaultSlot[],
  { projectKey, project, agentId }: Place,
  now: number,
): Promise<void> {
  const rows = missing.map((slot): SlotRow => {
    const isGlobal = slot.scope === "global";
    return {
      ...slot,
      projectKey: isGlobal ? none : projectKey,
      project: isGlobal ? null : (project ?? null),
      agentId,
      content: "",
      readOnly: false,
      createdAt: now,
      updatedAt: now,
    };
  });
  if (rows.length > 0) await tx.orm.insert(memorySlots).values(rows).onConflictDoNothing();
}
