import { inArray } from "drizzle-orm";
import { type Check, findingOf } from "../../governance/diagnostics/check.ts";
import { orphanDocuments } from "../../governance/diagnostics/orphan-documents.ts";
import type { Ground } from "../../ground.ts";
import { putDocument, removeDocuments } from "../../index/documents.ts";
import { memoryDocument } from "./document.ts";
import { assignProjects, inferProjects } from "./project-inference.ts";
import { memories } from "./tables.ts";
import { tieVersions, untiedVersions } from "./version-ties.ts";

const rowsAtOnce = 500;
/** So many memories may be without a project before it is a fault. */
const fewWithoutProject = 10;

const unindexed = `SELECT id FROM memories WHERE is_latest = 1 AND NOT EXISTS
  (SELECT 1 FROM documents WHERE kind = 'memory' AND ref = memories.id)`;

/** Latest versions that a later latest version names among those it took the place of. */
const stillLatest = `SELECT DISTINCT older.id FROM memories AS newer, json_each(newer.supersedes) AS earlier
  CROSS JOIN memories AS older ON older.id = earlier.value WHERE newer.is_latest = 1 AND older.is_latest = 1`;

/** What can be wrong with memories, and between them and the search index. */
export function memoryChecks(ground: Ground): Check[] {
  return [
    {
      category: "memories",
      name: "memory-missing-supersedes",
      find: (connection) =>
        findingOf(connection, untiedVersions, [], (count) => ({
          status: "warn",
          message: `${count} without the relation to the version before`,
        })),
      heal: async (tx) => {
        const ids = await tieVersions(tx, ground);
        return { fixed: ids.length, details: ids.map((id) => `memory ${id} is tied to the version before`) };
      },
    },
    {
      category: "memories",
      name: "memory-stale-latest",
      find: (connection) =>
        findingOf(connection, stillLatest, [], (count) => ({
          status: "fail",
          message: `${count} count as latest although a later version does too`,
        })),
      heal: async (tx) => {
        const ids = (await tx.sql.values(stillLatest)).map(([id]) => String(id));
        await tx.sql.run(
          "UPDATE memories SET is_latest = 0, updated_at = ? WHERE id IN (SELECT value FROM json_each(?))",
          [ground.now(), JSON.stringify(ids)],
        );
        await removeDocuments(tx.sql, "memory", ids);
        return { fixed: ids.length, details: ids.map((id) => `memory ${id} is no longer the latest`) };
      },
    },
    {
      category: "memories",
      name: "memory-project-coverage",
      find: (connection) =>
        findingOf(connection, "SELECT id FROM memories WHERE project_key IS NULL", [], (count) => ({
          status: count > fewWithoutProject ? "fail" : "warn",
          message: `${count} ${count === 1 ? "belongs" : "belong"} to no project`,
        })),
      curable: async (connection) => (await inferProjects(connection)).inferred.length,
      heal: async (tx) => {
        const { inferred } = await inferProjects(tx);
        await assignProjects(tx, ground, inferred);
        const details = inferred.map(({ id, project }) => `memory ${id} belongs to ${project}`);
        return { fixed: inferred.length, details };
      },
    },
    {
      category: "index",
      name: "missing-index-entry",
      find: (connection) =>
        findingOf(connection, unindexed, [], (count) => ({
          status: "fail",
          message: `${count} memories that no search finds`,
        })),
      heal: async (tx) => {
        const ids = (await tx.sql.values(unindexed)).map(([id]) => String(id));
        for (let start = 0; start < ids.length; start += rowsAtOnce) {
          const rows = await tx.orm
            .select()
            .from(memories)
            .where(inArray(memories.id, ids.slice(start, start + rowsAtOnce)));
          for (const row of rows) await putDocument(tx.sql, memoryDocument(row));
        }
        return { fixed: ids.length, details: ids.map((id) => `memory ${id} is in the index again`) };
      },
    },
    orphanDocuments("memory", "SELECT 1 FROM memories WHERE id = documents.ref AND is_latest = 1"),
  ];
}
