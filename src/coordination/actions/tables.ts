import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ActionStatus, BlockReason, EdgeType } from "./record.ts";

/** Work to be done. */
export const actions = sqliteTable(
  "actions",
  {
    id: text().primaryKey(),
    title: text().notNull(),
    description: text().notNull(),
    status: text().$type<ActionStatus>().notNull(),
    /**
     * Set for blocked actions only. `edges`: ends by itself when the gates are met; `manual`: ends only by an
     * update.
     */
    blockReason: text().$type<BlockReason>(),
    priority: integer().notNull(),
    createdBy: text(),
    assignedTo: text(),
    project: text(),
    projectKey: text(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceObservationIds: text({ mode: "json" }).$type<string[]>().notNull(),
    sourceMemoryIds: text({ mode: "json" }).$type<string[]>().notNull(),
    result: text(),
    parentId: text(),
    metadata: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    /** The sketch that the action belongs to; null once the sketch is promoted. */
    sketchId: text(),
    crystallizedInto: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    completedAt: integer(),
  },
  (table) => [
    index("actions_updated").on(table.updatedAt, table.id),
    index("actions_status").on(table.status, table.completedAt),
    index("actions_project").on(table.projectKey, table.updatedAt),
    index("actions_parent").on(table.parentId),
    index("actions_sketch").on(table.sketchId),
  ],
);

/** Edges between actions, and from actions to the checkpoints and sentinels that gate them. */
export const actionEdges = sqliteTable(
  "action_edges",
  {
    id: text().primaryKey(),
    type: text().$type<EdgeType>().notNull(),
    sourceActionId: text().notNull(),
    /** For a `gated_by` edge the id of a checkpoint or a sentinel. */
    targetActionId: text().notNull(),
    metadata: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex("action_edges_once").on(table.sourceActionId, table.type, table.targetActionId),
    index("action_edges_target").on(table.targetActionId, table.type),
  ],
);
