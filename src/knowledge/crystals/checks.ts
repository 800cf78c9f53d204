import { inArray } from "drizzle-orm";
import { type Check, recordsFound, writtenByOthers } from "../../governance/diagnostics/check.ts";
import { documentChecks } from "../../governance/diagnostics/document-checks.ts";
import { crystalDocument } from "./document.ts";
import { crystals } from "./tables.ts";

const empty = "SELECT id FROM crystals WHERE trim(narrative) = ''";
const unsourced = `SELECT id FROM crystals WHERE EXISTS (SELECT 1 FROM json_each(source_action_ids)
  WHERE value NOT IN (SELECT id FROM actions))`;

/** Checks of `doctor` on crystals and their index entries. */
export const crystalChecks: readonly Check[] = [
  {
    category: "crystals",
    name: "crystals-empty-content",
    hint: writtenByOthers,
    find: recordsFound(empty, "warn", (count) => `${count} say nothing`),
  },
  {
    category: "crystals",
    name: "crystals-missing-source",
    hint: "nothing has to be done: they keep what was learned from those actions",
    find: recordsFound(unsourced, "warn", (count) => `${count} of actions that are gone`),
  },
  ...documentChecks({
    kind: "crystal",
    table: "crystals",
    documents: async ({ orm }, ids) =>
      (await orm.select().from(crystals).where(inArray(crystals.id, ids))).map((row) => crystalDocument(row)),
  }),
];
