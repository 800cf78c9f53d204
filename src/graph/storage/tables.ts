import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/*
 * The tables without row ids (names, links, counts) are in graph-schema.ts, and so are the triggers that keep degrees
 * and counts. Rows refer to each other by small integer keys, so that a million edges and their links fit into the page
 * cache; answers show ids.
 */

export const graphNodes = sqliteTable(
  "graph_nodes",
  {
    key: integer().primaryKey(),
    id: text().notNull().unique(),
    /** Empty for nodes of no project. */
    projectKey: text().notNull(),
    /** The project's name as the caller gave it. */
    project: text(),
    type: text().notNull(),
    name: text().notNull(),
    aliases: text({ mode: "json" }).$type<string[]>().notNull(),
    properties: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    origin: text({ enum: ["structural", "llm", "import", "mesh"] }).notNull(),
    stale: integer().notNull(),
    /** Edges that begin or end here. */
    degree: integer().notNull(),
    /** Observations and memories that it was found in. */
    sourceCount: integer().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  // A partial index, since most nodes have few edges and pages by degree begin with those that have many.
  (table) => [index("graph_nodes_busy").on(table.degree).where(sql`degree >= 8`)],
);

export const graphEdges = sqliteTable(
  "graph_edges",
  {
    key: integer().primaryKey(),
    id: text().notNull().unique(),
    source: integer().notNull(),
    target: integer().notNull(),
    type: text().notNull(),
    /** The largest weight that models or imported files gave; null when only rules found the edge. */
    givenWeight: real(),
    /** 1 when rules found it in rows, so that its weight grows with the number of its sources. */
    structural: integer().notNull(),
    properties: text({ mode: "json" }).$type<Record<string, unknown>>(),
    origin: text({ enum: ["structural", "llm", "import", "mesh"] }).notNull(),
    stale: integer().notNull(),
    sourceCount: integer().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [index("graph_edges_target").on(table.target)],
);

/** The graph's own rows for observations and memories: whose they are, and which layers were made of them. */
export const graphSources = sqliteTable(
  "graph_sources",
  {
    /** In the order of arrival. */
    key: integer().primaryKey(),
    kind: text({ enum: ["observation", "memory"] }).notNull(),
    ref: text().notNull(),
    agentId: text(),
    /** 1 once the structural layer was made of it. */
    structural: integer().notNull(),
    /** 1 once a model was asked about it. */
    extracted: integer().notNull(),
  },
  (table) => [unique("graph_sources_ref").on(table.ref, table.kind)],
);

/** Observations and memories that are not placed in the graph yet. */
export const graphPending = sqliteTable("graph_pending", {
  /** In the order of arrival. */
  key: integer().primaryKey(),
  kind: text({ enum: ["observation", "memory"] }).notNull(),
  ref: text().notNull(),
  /** When it was stored. */
  at: integer().notNull(),
  /** What the graph takes of it, as JSON. */
  traits: text().notNull(),
});

/** One row: the snapshot of the nodes of highest degree. */
export const graphState = sqliteTable("graph_state", {
  id: integer().primaryKey(),
  snapshotAt: integer(),
  /** How many nodes and edges had ever been added or removed when it was taken. */
  snapshotMoves: integer(),
  snapshotNodes: text({ mode: "json" }).$type<number[]>(),
  snapshotEdges: text({ mode: "json" }).$type<number[]>(),
});
