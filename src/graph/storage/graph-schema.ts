import type { ThingKind } from "./thing-kind.ts";

/**
 * What drizzle cannot declare: tables without row ids, and the triggers that keep degrees and counts exact whenever
 * rows are deleted or changed. New rows are counted by put-layer.ts instead, because that is faster for a whole layer
 * and a client waits for it. Statements that fire triggers never say OR IGNORE or OR REPLACE, because SQLite applies
 * the conflict rule of the outer statement within the trigger too.
 */
const countedAs = (what: ThingKind, row: "new" | "old"): string => {
  const project =
    what === "node"
      ? `${row}.project_key`
      : `(SELECT project_key FROM graph_nodes WHERE key = ${row}.source)`;
  const ends =
    what === "node"
      ? "''"
      : `(SELECT CASE WHEN a.type = b.type THEN a.type ELSE '' END FROM graph_nodes AS a, graph_nodes AS b
         WHERE a.key = ${row}.source AND b.key = ${row}.target)`;
  return `'${what}', ${project}, ${row}.type, ${row}.origin, ${row}.stale, ${ends}`;
};

const countOut = (what: ThingKind): string =>
  `UPDATE graph_counts SET n = n - 1, moves = moves + 1
  WHERE (what, project_key, type, origin, stale, ends) = (${countedAs(what, "old")});`;

const countIn = (what: ThingKind): string =>
  `INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
  VALUES (${countedAs(what, "new")}, 1, 1)
  ON CONFLICT (what, project_key, type, origin, stale, ends) DO UPDATE SET n = n + 1, moves = moves + 1;`;

export const graphSchemaSql: readonly string[] = [
  // Names and aliases of nodes. `identity` is in lower case except for files; `folded` always is.
  `CREATE TABLE graph_names (
  folded TEXT NOT NULL, type TEXT NOT NULL, project_key TEXT NOT NULL, identity TEXT NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (folded, type, project_key, identity)
) WITHOUT ROWID`,
  `CREATE TABLE graph_name_words (
  word TEXT NOT NULL, project_key TEXT NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (word, project_key, node)
) WITHOUT ROWID`,
  `CREATE TABLE graph_node_links (
  node INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (node, source)
) WITHOUT ROWID`,
  "CREATE INDEX graph_node_links_source ON graph_node_links (source)",
  `CREATE TABLE graph_edge_links (
  edge INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (edge, source)
) WITHOUT ROWID`,
  "CREATE INDEX graph_edge_links_source ON graph_edge_links (source)",
  "CREATE UNIQUE INDEX graph_edges_identity ON graph_edges (source, target, type)",
  // `ends`: the type of both ends when it is the same, else empty. `moves`: rows ever added or removed. The numbers are
  // never null; with NOT NULL, SQLite would open a statement journal for every statement over several rows.
  `CREATE TABLE graph_counts (
  what TEXT NOT NULL, project_key TEXT NOT NULL, type TEXT NOT NULL, origin TEXT NOT NULL, stale INTEGER NOT NULL,
  ends TEXT NOT NULL, n INTEGER, moves INTEGER,
  PRIMARY KEY (what, project_key, type, origin, stale, ends)
) WITHOUT ROWID`,
  "INSERT INTO graph_state (id) VALUES (1)",
  `CREATE TRIGGER graph_nodes_delete AFTER DELETE ON graph_nodes BEGIN
  ${countOut("node")}
END`,
  `CREATE TRIGGER graph_nodes_change AFTER UPDATE OF origin, stale ON graph_nodes
WHEN old.origin <> new.origin OR old.stale <> new.stale BEGIN
  ${countOut("node")}
  ${countIn("node")}
END`,
  // BEFORE, because counting the edge out needs its end nodes, which are still there.
  `CREATE TRIGGER graph_edges_delete BEFORE DELETE ON graph_edges BEGIN
  UPDATE graph_nodes SET degree = degree - 1 WHERE key IN (old.source, old.target);
  ${countOut("edge")}
END`,
  `CREATE TRIGGER graph_edges_change AFTER UPDATE OF origin, stale ON graph_edges
WHEN old.origin <> new.origin OR old.stale <> new.stale BEGIN
  ${countOut("edge")}
  ${countIn("edge")}
END`,
  // Rows that were stored before there was a graph are put into it by a job.
  `INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, created_at, updated_at)
SELECT 'job_' || lower(hex(randomblob(13))), 'graph.backfill', 'graph', '{}', 'queued', 0, 0, at, at
FROM (SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS at)
WHERE EXISTS (SELECT 1 FROM observations) OR EXISTS (SELECT 1 FROM memories)`,
];
