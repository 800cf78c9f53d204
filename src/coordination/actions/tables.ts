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
    /** Only of blocked ones: `edges` ends by itself, `manual` only by an update. */
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
    /** The sketch that it is part of until that is promoted. */
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

/** What ties actions together, and to the checkpoints and sentinels that gate them. */
export const actionEdges = sqliteTable(
  "action_edges",
  {
    id: text().primaryKey(),
    type: text().$type<EdgeType>().notNull(),
    sourceActionId: text().notNull(),
    /** Of a `gated_by` edge a checkpoint or a sentinel. */
    targetActionId: text().notNull(),
    metadata: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex("action_edges_once").on(table.sourceActionId, table.type, table.targetActionId),
    index("action_edges_target").on(table.targetActionId, table.type),
  ],
);
