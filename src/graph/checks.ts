import { type Check, recordsFound } from "../governance/diagnostics/check.ts";
import { firstKeys, type Sql } from "../store/sql.ts";
import { deleteEdges, detachRows, detachSources, unlinkThings } from "./storage/detach.ts";
import type { SourceKind } from "./storage/sources.ts";
import type { ThingKind } from "./storage/thing-kind.ts";

const danglingEdges = `SELECT id, key FROM graph_edges AS e
  WHERE NOT EXISTS (SELECT 1 FROM graph_nodes WHERE key = e.source)
    OR NOT EXISTS (SELECT 1 FROM graph_nodes WHERE key = e.target)`;

const danglingSources = `SELECT s.ref, s.kind FROM graph_sources AS s
  WHERE (s.kind = 'observation' AND NOT EXISTS (SELECT 1 FROM observations WHERE id = s.ref))
    OR (s.kind = 'memory' AND NOT EXISTS (SELECT 1 FROM memories WHERE id = s.ref))`;

/** Keys of sources that links refer to but that do not exist. */
const lostSources = ["node", "edge"]
  .map(
    (what) => `SELECT source AS key FROM graph_${what}_links
      WHERE NOT EXISTS (SELECT 1 FROM graph_sources WHERE key = source)`,
  )
  .join(" UNION ");

/** Keys of nodes and edges that links refer to but that do not exist. */
const lostThings = (["node", "edge"] as const)
  .map(
    (what) => `SELECT DISTINCT '${what}' AS what, ${what} AS key FROM graph_${what}_links
      WHERE NOT EXISTS (SELECT 1 FROM graph_${what}s WHERE key = ${what})`,
  )
  .join(" UNION ALL ");

const danglingLinks = `SELECT ref AS id FROM (${danglingSources})
  UNION ALL SELECT 'source ' || key FROM (${lostSources})
  UNION ALL SELECT what || ' ' || key FROM (${lostThings})`;

/** What can be wrong with the graph: edges without their ends, links with rows that are gone. */
export const graphChecks: readonly Check[] = [
  {
    category: "graph",
    name: "dangling-edge",
    find: recordsFound(
      danglingEdges,
      "fail",
      (count) => `${count} edges of the graph without one of their nodes`,
    ),
    heal: async ({ sql }) => {
      const rows = await sql.all<{ id: string; key: number }>(danglingEdges);
      await deleteEdges(
        sql,
        rows.map(({ key }) => key),
      );
      await recountEdges(sql);
      return { details: rows.map(({ id }) => `edge ${id} is gone from the graph`) };
    },
  },
  {
    category: "graph",
    name: "dangling-link",
    find: recordsFound(
      danglingLinks,
      "fail",
      (count) => `${count} records, nodes or edges that are gone, and that links of the graph still name`,
    ),
    heal: async (tx) => {
      const rows = await tx.sql.all<{ ref: string; kind: SourceKind }>(danglingSources);
      for (const kind of ["observation", "memory"] as const) {
        const refs = rows.filter((row) => row.kind === kind).map(({ ref }) => ref);
        if (refs.length > 0) await detachRows(tx.sql, kind, refs);
      }
      const sources = await firstKeys(tx.sql, lostSources);
      await detachSources(tx.sql, sources);
      const things = await tx.sql.all<{ what: ThingKind; key: number }>(lostThings);
      for (const what of ["node", "edge"] as const) {
        const keys = things.filter((thing) => thing.what === what).map(({ key }) => key);
        if (keys.length > 0) await unlinkThings(tx.sql, what, keys);
      }
      return {
        details: [
          ...rows.map(({ kind, ref }) => `the graph no longer names ${kind} ${ref}`),
          ...sources.map((key) => `the graph no longer names source ${key}, which it does not keep`),
          ...things.map(
            ({ what, key }) => `links of ${what} ${key}, which the graph does not keep, are gone`,
          ),
        ],
      };
    },
  },
];

/** Counts all edges anew: the delete trigger cannot find the count of an edge whose ends are gone. */
async function recountEdges(sql: Sql): Promise<void> {
  await sql.run("UPDATE graph_counts SET n = 0 WHERE what = 'edge'");
  await sql.run(
    `INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
     SELECT 'edge', a.project_key, e.type, e.origin, e.stale, CASE WHEN a.type = b.type THEN a.type ELSE '' END AS ends,
       count(*), count(*)
     FROM graph_edges AS e JOIN graph_nodes AS a ON a.key = e.source JOIN graph_nodes AS b ON b.key = e.target
     WHERE true GROUP BY a.project_key, e.type, e.origin, e.stale, ends
     ON CONFLICT (what, project_key, type, origin, stale, ends) DO UPDATE SET n = excluded.n, moves = moves + 1`,
  );
  await sql.run(
    `UPDATE graph_nodes SET degree = (SELECT count(*) FROM graph_edges AS e WHERE e.source = graph_nodes.key)
       + (SELECT count(*) FROM graph_edges AS e WHERE e.target = graph_nodes.key)`,
  );
}
