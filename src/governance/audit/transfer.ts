import * as z from "zod";
import { TableRows } from "../../store/table-rows.ts";
import { redactObject } from "../../text/redaction/redact.ts";
import { FileId, FileText, FileTexts, FileTime } from "../transfer/file-fields.ts";
import { tableCollection } from "../transfer/table-collection.ts";
import { entryRecord } from "./record.ts";
import { auditEntries } from "./tables.ts";

export const auditCollection = tableCollection({
  name: "audit",
  rows: new TableRows(auditEntries, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    timestamp: FileTime,
    operation: FileText,
    functionId: FileText.default(""),
    targetIds: FileTexts,
    details: z.record(z.string(), z.unknown()).default(() => ({})),
    qualityScore: z.number().optional(),
    agentId: FileId.optional(),
    userId: FileText.optional(),
  }),
  record: entryRecord,
  row: (given) => ({
    ...given,
    details: redactObject(given.details),
    qualityScore: given.qualityScore ?? null,
    agentId: given.agentId ?? null,
    userId: given.userId ?? null,
  }),
  changedAt: ({ timestamp }) => timestamp,
  onlyAdded: true,
});
