import * as z from "zod";
import {
  FileId,
  FileTime,
  RedactedJson,
  RedactedObject,
  RedactedText,
} from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { gateNamedActions } from "../actions/named-actions.ts";
import { configFaults, PatternConfig } from "./config.ts";
import { dueAt } from "./expiry.ts";
import { matcherOf } from "./pattern.ts";
import { SentinelStatus, SentinelType, sentinelRecord } from "./record.ts";
import { sentinels } from "./tables.ts";
import { newestSeq } from "./watching.ts";

const SentinelInFile = z.object({
  id: FileId,
  name: RedactedText,
  type: SentinelType.default("custom"),
  status: SentinelStatus.default("watching"),
  config: RedactedObject.default(() => ({})),
  result: RedactedJson.optional(),
  createdAt: FileTime,
  updatedAt: FileTime.optional(),
  triggeredAt: FileTime.optional(),
  expiresAt: FileTime.optional(),
  escalatedAt: FileTime.optional(),
  linkedActionIds: z.array(FileId).default(() => []),
});

/** An imported pattern watches only observations that arrive after the import. */
export const sentinelCollection = tableCollection({
  name: "sentinels",
  rows: new TableRows(sentinels, { key: ["id"] }),
  schema: SentinelInFile,
  record: (row) => ({ ...sentinelRecord(row), updatedAt: timeText(row.updatedAt) }),
  row: async (given, { tx }) => {
    if (!(await canWatch(given)))
      return `a ${given.type} sentinel that cannot watch was left out: see its config`;
    const expiresAt = given.expiresAt ?? null;
    return {
      ...given,
      updatedAt: given.updatedAt ?? given.triggeredAt ?? given.createdAt,
      result: given.result ?? null,
      triggeredAt: given.triggeredAt ?? null,
      expiresAt,
      escalatedAt: given.escalatedAt ?? null,
      dueAt: dueAt({ ...given, expiresAt }),
      lookedAtSeq: await newestSeq(tx.sql),
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({ ...kept, lookedAtSeq: Math.min(kept.lookedAtSeq, other.lookedAtSeq) }),
  settle: (writing) => gateNamedActions(writing, "sentinels"),
});

async function canWatch({ type, config }: z.output<typeof SentinelInFile>): Promise<boolean> {
  if (configFaults(type, config).length > 0) return false;
  if (type !== "pattern") return true;
  try {
    await matcherOf(PatternConfig.parse(config).pattern);
    return true;
  } catch (error) {
    if (isMemsvcError(error, "invalid_input")) return false;
    throw error;
  }
}
