import * as z from "zod";
import { timeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { TableRows } from "../../store/table-rows.ts";
import type { Collection } from "../transfer/collection.ts";
import { FileId, FileText, FileTime } from "../transfer/file-fields.ts";
import { tableCollection } from "../transfer/table-collection.ts";
import { tombstones } from "./tables.ts";

const whole = tableCollection({
  name: "tombstones",
  rows: new TableRows(tombstones, { key: ["kind", "id"] }),
  schema: z.object({
    kind: FileText.min(1),
    id: FileId,
    deletedAt: FileTime,
    projectKey: FileText.optional(),
  }),
  record: (row) => recordOf({ ...row, deletedAt: timeText(row.deletedAt) }),
  row: (given) => ({ ...given, projectKey: given.projectKey ?? null }),
  changedAt: ({ deletedAt }) => deletedAt,
});

/**
 * Tombstones. A replace clears them last: the rows of the file have to find out whether they were deleted
 * here.
 */
export const tombstoneCollection: Collection = { ...whole, clearedLast: true };
