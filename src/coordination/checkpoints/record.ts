import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { actionCount } from "../actions/record.ts";
import type { checkpoints } from "./tables.ts";

export const CheckpointStatus = z.enum(["pending", "passed", "failed", "expired"]);
export type CheckpointStatus = z.infer<typeof CheckpointStatus>;

export const CheckpointType = z.enum(["ci", "approval", "deploy", "external", "timer"]);
export type CheckpointType = z.infer<typeof CheckpointType>;

export const Checkpoint = z
  .object({
    id: z.string().describe("id of the checkpoint"),
    name: z.string().describe("what is waited for"),
    description: z.string().describe("longer description; may be empty"),
    status: CheckpointStatus.describe("pending until somebody decides it or its time is over"),
    type: CheckpointType.describe("who or what decides: ci, approval, deploy, external, or timer"),
    createdAt: TimeText.describe("when it was made"),
    resolvedAt: TimeText.optional().describe("when it passed or failed"),
    resolvedBy: z.string().optional().describe("who decided"),
    result: z.unknown().optional().describe("what came of it, as given"),
    expiresAt: TimeText.optional().describe("when a timer passes and any other expires"),
    linkedActionIds: z.array(z.string()).describe("actions that it was created to block"),
  })
  .meta({ id: "Checkpoint" });
export type Checkpoint = z.infer<typeof Checkpoint>;

export const ListedCheckpoint = Checkpoint.extend(actionCount);
export type ListedCheckpoint = z.infer<typeof ListedCheckpoint>;

export type CheckpointRow = typeof checkpoints.$inferSelect;

export function checkpointRecord(row: CheckpointRow): Checkpoint {
  return recordOfRow(Checkpoint, row, {
    createdAt: timeText(row.createdAt),
    resolvedAt: timeText(row.resolvedAt),
    expiresAt: timeText(row.expiresAt),
  });
}
