import * as z from "zod";
import type { Collection } from "../../governance/transfer/collection.ts";
import { FileText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { projectAliases } from "./tables.ts";

const whole = tableCollection({
  name: "projectAliases",
  rows: new TableRows(projectAliases, { key: ["name", "path"] }),
  schema: z.object({ name: FileText.min(1), path: FileText.min(1) }),
  record: (row) => row,
  row: (given) => given,
  changedAt: () => 0,
});

export const projectAliasCollection: Collection = {
  ...whole,
  clear: async (writing) => {
    const cleared = (await whole.clear?.(writing)) ?? 0;
    writing.projects.forgetKnown();
    return cleared;
  },
};
