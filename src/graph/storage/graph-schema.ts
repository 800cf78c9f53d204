import type { ThingKind } from "./thing-kind.ts";

/**
 * What the table builder cannot say: tables without row ids, and the triggers that keep degrees and counts exact
 * when rows go or change, whoever does it. For rows that come, put-layer.ts counts: it knows a whole layer at once,
 * and a sender waits for it. Statements that fire triggers never say OR IGNORE or OR REPLACE: SQLite puts the
 * conflict rule of the outer statement in the place of the trigger's own.
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
  // What a node is called, and what it is also called. `identity` keeps the case of files, `folded` of nothing.
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
  // `ends`: the type of both ends where it is the same. `moves`: rows that came or went. The numbers may be null by
  // declaration only, since a check that they are not would make every statement over a list keep a way back.
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
  // Before: its ends are still there to be looked at.
  `CREATE TRIGGER graph_edges_delete BEFORE DELETE ON graph_edges BEGIN
  UPDATE graph_nodes SET degree = degree - 1 WHERE key IN (old.source, old.target);
  ${countOut("edge")}
END`,
  `CREATE TRIGGER graph_edges_change AFTER UPDATE OF origin, stale ON graph_edges
WHEN old.origin <> new.origin OR old.stale <> new.stale BEGIN
  ${countOut("edge")}
  ${countIn("edge")}
END`,
  // Rows that were stored before there was a graph get their part of it from a job.
  `INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, created_at, updated_at)
SELECT 'job_' || lower(hex(randomblob(13))), 'graph.backfill', 'graph', '{}', 'queued', 0, 0, at, at
FROM (SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS at)
WHERE EXISTS (SELECT 1 FROM observations) OR EXISTS (SELECT 1 FROM memories)`,
];
