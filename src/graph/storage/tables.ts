import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/*
 * The tables that hang on these without row ids of their own (names, links, counts) are in graph-schema.ts, and so
 * are the triggers that keep degrees and counts. Keys are small integers, so that a million edges and their links
 * stay within reach of the page cache; ids are what answers show.
 */

export const graphNodes = sqliteTable(
  "graph_nodes",
  {
    key: integer().primaryKey(),
    id: text().notNull().unique(),
    /** Empty for nodes of no project. */
    projectKey: text().notNull(),
    /** Project as it was given. */
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
  // Most nodes have few edges; they are asked for in order of degree only where there are no others.
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
    /** The larger of what models and imported files said; null when only rows speak for it. */
    givenWeight: real(),
    /** Whether rows speak for it, so that its weight grows with their number. */
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

/** Observations and memories as the graph knows them: whose they are, and which layers were made of them. */
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

/** Observations and memories that have no place in the graph yet. */
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

/** One row: the picture of the busiest nodes. */
export const graphState = sqliteTable("graph_state", {
  id: integer().primaryKey(),
  snapshotAt: integer(),
  /** Nodes and edges that had come or gone when it was taken. */
  snapshotMoves: integer(),
  snapshotNodes: text({ mode: "json" }).$type<number[]>(),
  snapshotEdges: text({ mode: "json" }).$type<number[]>(),
});
