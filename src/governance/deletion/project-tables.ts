import { deleteOfSessions } from "../../capture/observations/deletion.ts";
import { deleteActions } from "../../coordination/actions/deletion.ts";
import { actionsOfSketch } from "../../coordination/actions/sketch-actions.ts";
import { deleteNodesOfProjects } from "../../graph/upkeep/project-nodes.ts";
import type { Ground } from "../../ground.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { deleteInsightsFrom } from "../../knowledge/insights/delete-insights.ts";
import { deleteMemories } from "../../knowledge/memories/forgetting/deletion.ts";
import { invalidateProfiles } from "../../knowledge/profiles/cache.ts";
import { ofProjects } from "../../store/of-projects.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { type DeletedRow, writeTombstones } from "../retention/tombstones.ts";

/** Deletes the rows with these project keys from one table, and what hangs on them. */
type DeleteOfProject = (
  tx: Transaction,
  ground: Pick<Ground, "now">,
  projectKeys: readonly string[],
) => Promise<unknown>;

/**
 * How to delete the rows of a project from each table that has a project column, in this order. Its sessions come
 * before; tombstones stay, because other stores learn of the deletion from them.
 */
export const projectTables: ReadonlyMap<string, DeleteOfProject> = new Map<string, DeleteOfProject>([
  ["observations", byIds("observations", deleteObservations)],
  ["memories", byIds("memories", (tx, { now }, ids) => deleteMemories(tx, ids, now()))],
  ["semantic_memories", exchanged("semantic_memories", "semantic")],
  ["procedural_memories", exchanged("procedural_memories", "procedural")],
  ["insights", indexed("insights", "insight")],
  ["lessons", indexed("lessons", "lesson")],
  ["crystals", indexed("crystals", "crystal")],
  ["sketches", deleteSketches],
  ["actions", byIds("actions", deleteActions)],
  ["routine_runs", deleteEmptyRuns],
  ["memory_slots", rowsAlone("memory_slots")],
  ["team_items", rowsAlone("team_items")],
  ["session_summaries", rowsAlone("session_summaries")],
  ["consolidation_runs", rowsAlone("consolidation_runs")],
  ["profiles", deleteProfiles],
  ["graph_nodes", ({ sql }, { now }, keys) => deleteNodesOfProjects(sql, keys, now())],
]);

/** For records that other stores have, too. */
function exchanged(table: string, kind: string): DeleteOfProject {
  return async (tx, { now }, keys) => {
    const gone = await tx.sql.all<DeletedRow>(
      `DELETE FROM ${table} WHERE ${ofProjects}
       RETURNING id, project_key AS projectKey, updated_at AS updatedAt`,
      [JSON.stringify(keys)],
    );
    await writeTombstones(tx.sql, kind, gone, now());
    await deleteInsightsFrom(
      tx,
      gone.map(({ id }) => id),
    );
  };
}

/** For records that searches find. */
function indexed(table: string, kind: string): DeleteOfProject {
  return async (tx, _ground, keys) => {
    const sql = `DELETE FROM ${table} WHERE ${ofProjects} RETURNING id`;
    const gone = await firstColumn(tx.sql, sql, [JSON.stringify(keys)]);
    await removeDocuments(tx, kind, gone);
    await deleteInsightsFrom(tx, gone);
  };
}

/** For rows that nothing refers to. */
function rowsAlone(table: string): DeleteOfProject {
  return ({ sql }, _ground, keys) =>
    sql.run(`DELETE FROM ${table} WHERE ${ofProjects}`, [JSON.stringify(keys)]);
}

/** For records that have a deletion of their own. */
function byIds(
  table: string,
  remove: (tx: Transaction, ground: Pick<Ground, "now">, ids: readonly string[]) => Promise<unknown>,
): DeleteOfProject {
  return async (tx, ground, keys) => {
    const sql = `SELECT id FROM ${table} WHERE ${ofProjects}`;
    await remove(tx, ground, await firstColumn(tx.sql, sql, [JSON.stringify(keys)]));
  };
}

/** Imported observations may belong to another project than their session. */
function deleteObservations(tx: Transaction, { now }: Pick<Ground, "now">, ids: readonly string[]) {
  return deleteOfSessions(tx, ids, { why: "forgotten", now: now() });
}

async function deleteSketches(tx: Transaction, ground: Pick<Ground, "now">, keys: readonly string[]) {
  const sql = `DELETE FROM sketches WHERE ${ofProjects} RETURNING id`;
  const gone = await firstColumn(tx.sql, sql, [JSON.stringify(keys)]);
  for (const id of gone) await deleteActions(tx, ground, await actionsOfSketch(tx, id));
}

/** Runs of routines, which stay, by the actions that they were made of. */
function deleteEmptyRuns({ sql }: Transaction) {
  return sql.run(`DELETE FROM routine_runs WHERE NOT EXISTS (
    SELECT 1 FROM json_each(steps) AS step JOIN actions ON actions.id = step.value ->> 'actionId')`);
}

async function deleteProfiles({ sql }: Transaction, _ground: unknown, keys: readonly string[]) {
  for (const key of keys) await invalidateProfiles(sql, key);
}
