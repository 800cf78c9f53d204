import * as z from "zod";
import { FileText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { projectAliases } from "./tables.ts";

export const projectAliasCollection = tableCollection({
  name: "projectAliases",
  rows: new TableRows(projectAliases, { key: ["name", "path"] }),
  schema: z.object({ name: FileText.min(1), path: FileText.min(1) }),
  record: (row) => row,
  row: (given) => given,
  changedAt: () => 0,
});
