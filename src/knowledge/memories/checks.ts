import { inArray } from "drizzle-orm";
import { type Check, findingOf, recordsFound } from "../../governance/diagnostics/check.ts";
import { documentChecks } from "../../governance/diagnostics/document-checks.ts";
import type { Ground } from "../../ground.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { firstColumn } from "../../store/sql.ts";
import { memoryDocument } from "./document.ts";
import { assignProjects, inferProjects } from "./project-inference.ts";
import { memories } from "./tables.ts";
import { linkVersions, unlinkedVersions } from "./versions/version-links.ts";

const giveProject = "to give one a project, remember its text there and forget it here";
/** This many memories without a project are no fault yet. */
const fewWithoutProject = 10;

/**
 * Memories marked as latest although another latest memory supersedes them, directly or through others. If
 * memories supersede each other (a file may say so), the one with the highest version stays the latest.
 */
const stillLatest = `WITH RECURSIVE names(newer, older) AS MATERIALIZED (
    SELECT newer.id, older.id FROM memories AS newer, json_each(newer.supersedes) AS earlier
    CROSS JOIN memories AS older ON older.id = earlier.value WHERE newer.is_latest = 1 AND older.is_latest = 1),
  leads(newer, older) AS (SELECT newer, older FROM names
    UNION SELECT leads.newer, names.older FROM leads JOIN names ON names.newer = leads.older)
  SELECT DISTINCT older.id FROM leads JOIN memories AS newer ON newer.id = leads.newer
  JOIN memories AS older ON older.id = leads.older
  WHERE NOT EXISTS (SELECT 1 FROM leads AS back WHERE back.newer = older.id AND back.older = newer.id)
    OR (newer.version, newer.updated_at, newer.id) > (older.version, older.updated_at, older.id)`;

/** Checks of `doctor` on memories and their index entries. */
export function memoryChecks(ground: Ground): Check[] {
  return [
    {
      category: "memories",
      name: "memory-missing-supersedes",
      find: recordsFound(
        unlinkedVersions,
        "warn",
        (count) => `${count} without the relation to the version before`,
      ),
      heal: async (tx) => {
        const ids = await linkVersions(tx, ground);
        return { details: ids.map((id) => `memory ${id} is tied to the version before`) };
      },
    },
    {
      category: "memories",
      name: "memory-stale-latest",
      find: recordsFound(
        stillLatest,
        "fail",
        (count) => `${count} count as latest although a later version does too`,
      ),
      heal: async (tx) => {
        const ids = await firstColumn(tx.sql, stillLatest);
        await tx.sql.run(
          "UPDATE memories SET is_latest = 0, updated_at = ? WHERE id IN (SELECT value FROM json_each(?))",
          [ground.now(), JSON.stringify(ids)],
        );
        await removeDocuments(tx, "memory", ids);
        return { details: ids.map((id) => `memory ${id} is no longer the latest`) };
      },
    },
    {
      category: "memories",
      name: "memory-project-coverage",
      find: (connection) =>
        findingOf(connection, "SELECT id FROM memories WHERE project_key IS NULL", [], (count) => ({
          status: count > fewWithoutProject ? "fail" : "warn",
          message: `${count} ${count === 1 ? "belongs" : "belong"} to no project; ${giveProject}`,
        })),
      ifNothingHealed: {
        reason: "nothing that they are based on tells which project they belong to",
        hint: "memories without a project hold for all, which may be meant",
      },
      heal: async (tx) => {
        const { inferred } = await inferProjects(tx);
        await assignProjects(tx, ground, inferred);
        const details = inferred.map(({ id, project }) => `memory ${id} belongs to ${project}`);
        return { details };
      },
    },
    ...documentChecks({
      kind: "memory",
      table: "memories",
      standing: "is_latest = 1",
      documents: async ({ orm }, ids) =>
        (await orm.select().from(memories).where(inArray(memories.id, ids))).map((row) =>
          memoryDocument(row),
        ),
    }),
  ];
}
