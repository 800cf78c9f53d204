import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime, RedactedJson, RedactedText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { timeText } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { gateNamedActions } from "../actions/named-actions.ts";
import { CheckpointStatus, CheckpointType, checkpointRecord } from "./record.ts";
import { checkpoints } from "./tables.ts";

const CheckpointInFile = z.object({
  id: FileId,
  name: RedactedText,
  description: RedactedText.default(""),
  status: CheckpointStatus.default("pending"),
  type: CheckpointType.default("external"),
  createdAt: FileTime,
  updatedAt: FileTime.optional(),
  resolvedAt: FileTime.optional(),
  resolvedBy: FileId.optional(),
  result: RedactedJson.optional(),
  expiresAt: FileTime.optional(),
  linkedActionIds: z.array(FileId).default(() => []),
});

export const checkpointCollection = tableCollection({
  name: "checkpoints",
  rows: new TableRows(checkpoints, { key: ["id"] }),
  schema: CheckpointInFile,
  record: (row) => ({ ...checkpointRecord(row), updatedAt: timeText(row.updatedAt) }),
  row: (given, writing) => ({
    ...given,
    type: typeOf(given, writing),
    updatedAt: given.updatedAt ?? given.resolvedAt ?? given.createdAt,
    resolvedAt: given.resolvedAt ?? null,
    resolvedBy: given.resolvedBy ?? null,
    result: given.result ?? null,
    expiresAt: given.expiresAt ?? null,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  settle: (writing) => gateNamedActions(writing, "checkpoints"),
});

/**
 * A pending timer without a time would never pass by itself, so it becomes `external`, which somebody has to
 * resolve.
 */
function typeOf(
  { type, status, expiresAt }: z.output<typeof CheckpointInFile>,
  { warn }: Writing,
): CheckpointType {
  if (type !== "timer" || status !== "pending" || expiresAt !== undefined) return type;
  warn("checkpoints: a timer without a time to pass at became external: resolve it");
  return "external";
}
