import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime, RedactedText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { FacetTarget, facetRecord } from "./record.ts";
import { facets } from "./tables.ts";
import { targetIsGone, targetTypeOf } from "./targets.ts";

/** A label is identified by its record, dimension and value, not by its id. */
export const facetCollection = tableCollection({
  name: "facets",
  rows: new TableRows(facets, { key: ["targetId", "targetType", "dimension", "value"] }),
  schema: z.object({
    id: FileId,
    targetId: FileId,
    targetType: FacetTarget,
    dimension: RedactedText,
    value: RedactedText,
    createdAt: FileTime,
  }),
  record: facetRecord,
  row: async (given, { tx }) => {
    if (given.dimension.trim() === "" || given.value.trim() === "") return "a blank facet was left out";
    const target = await targetTypeOf(tx.sql, given.targetId, given.targetType);
    return target === undefined ? "a facet of a record that does not exist was left out" : given;
  },
  changedAt: ({ createdAt }) => createdAt,
  settle: dropOrphans,
});

/** An import that replaces only the records leaves the facets of records that it deleted. */
async function dropOrphans({ tx, warn, strategy }: Writing): Promise<void> {
  if (strategy !== "replace") return;
  const { changes } = await tx.sql.run(`DELETE FROM facets WHERE ${targetIsGone}`);
  if (changes > 0) warn("facets: those of records that are gone were dropped");
}
