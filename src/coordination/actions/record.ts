import * as z from "zod";
import { Id, TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { actionEdges, actions } from "./tables.ts";

/** The input field of a new checkpoint or sentinel that names the actions to block. */
export const linkedActions = {
  linkedActionIds: z.array(Id).max(200).default([]).describe("actions that have to wait for it"),
};

/** The additional field of checkpoints and sentinels in lists. */
export const actionCount = {
  actionCount: z.number().int().describe("actions that it blocks or blocked"),
};

export const ActionStatus = z.enum(["pending", "active", "done", "blocked", "cancelled"]);
export type ActionStatus = z.infer<typeof ActionStatus>;

export const BlockReason = z.enum(["edges", "manual"]);
export type BlockReason = z.infer<typeof BlockReason>;

export const EdgeType = z.enum(["requires", "unlocks", "spawned_by", "gated_by", "conflicts_with"]);
export type EdgeType = z.infer<typeof EdgeType>;

/** The priority of an action for which none is told, in the middle of 1 to 10. */
export const usualPriority = 5;

export const Action = z
  .object({
    id: z.string().describe("id of the action"),
    title: z.string().describe("what is to be done, in a line"),
    description: z.string().describe("what is to be done, at length; may be empty"),
    status: ActionStatus.describe("pending, active, done, blocked, or cancelled"),
    blockReason: BlockReason.optional().describe(
      "why it is blocked: edges until its gates are met, manual until an update unblocks it",
    ),
    priority: z.number().int().describe("1 to 10, the higher the sooner"),
    createdBy: z.string().optional().describe("who made it"),
    assignedTo: z.string().optional().describe("agent that works on it or should"),
    project: z.string().optional().describe("project it belongs to"),
    tags: z.array(z.string()).describe("tags"),
    sourceObservationIds: z.array(z.string()).describe("observations that it came from"),
    sourceMemoryIds: z.array(z.string()).describe("memories that it came from"),
    result: z.string().optional().describe("the result"),
    parentId: z.string().optional().describe("parent action"),
    metadata: z.record(z.string(), z.unknown()).optional().describe("whatever else was given"),
    sketchId: z.string().optional().describe("sketch that it is part of, until that is promoted"),
    crystallizedInto: z.string().optional().describe("crystal that it was condensed into"),
    createdAt: TimeText.describe("when it was made"),
    updatedAt: TimeText.describe("last change"),
    completedAt: TimeText.optional().describe("when it was done or cancelled"),
  })
  .meta({ id: "Action" });
export type Action = z.infer<typeof Action>;

export const ActionEdge = z
  .object({
    id: z.string().describe("id of the edge"),
    type: EdgeType.describe("how the source relates to the target"),
    sourceActionId: z.string().describe("source of the edge"),
    targetActionId: z
      .string()
      .describe("target of the edge: an action, or for gated_by a checkpoint or sentinel"),
    createdAt: TimeText.describe("when it was made"),
    metadata: z.record(z.string(), z.unknown()).optional().describe("whatever else was given"),
  })
  .meta({ id: "ActionEdge" });
export type ActionEdge = z.infer<typeof ActionEdge>;

export const Blocker = z
  .object({
    kind: z.enum(["action", "checkpoint", "sentinel", "conflict"]).describe("what blocks it"),
    id: z.string().describe("id of the action, checkpoint or sentinel"),
    title: z.string().describe("its title or name"),
    status: z.string().describe("its status; unknown where only a peer knows it"),
  })
  .meta({ id: "Blocker" });
export type Blocker = z.infer<typeof Blocker>;

export type ActionRow = typeof actions.$inferSelect;
export type EdgeRow = typeof actionEdges.$inferSelect;

export function isFinished({ status }: Pick<ActionRow, "status">): boolean {
  return status === "done" || status === "cancelled";
}

export function actionRecord(row: ActionRow): Action {
  return recordOfRow(Action, row, {
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
    completedAt: timeText(row.completedAt),
  });
}

export function edgeRecord(row: EdgeRow): ActionEdge {
  return recordOfRow(ActionEdge, row, {
    createdAt: timeText(row.createdAt),
  });
}
