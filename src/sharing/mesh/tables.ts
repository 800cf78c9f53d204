import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MeshScope } from "./scope-names.ts";

/** By scope, in milliseconds: of pulls by the peer's clock, of pushes by ours. */
type Moments = Partial<Record<MeshScope, number>>;

/** Services that rows are exchanged with. */
export const meshPeers = sqliteTable("mesh_peers", {
  id: text().primaryKey(),
  url: text().notNull(),
  name: text().notNull(),
  sharedScopes: text({ mode: "json" }).$type<MeshScope[]>().notNull(),
  /** The project that alone is exchanged. */
  project: text(),
  status: text({ enum: ["connected", "disconnected", "syncing", "error"] }).notNull(),
  lastSyncAt: integer(),
  lastError: text(),
  /** How far what the peer has was taken over. */
  pulledTo: text({ mode: "json" }).$type<Moments>().notNull(),
  /** How far the peer was given what is here. */
  pushedTo: text({ mode: "json" }).$type<Moments>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

/**
 * When rows came from elsewhere. They keep the time of their last change, which may be long ago, and are yet new to
 * those who ask for what has changed here.
 */
export const meshArrivals = sqliteTable(
  "mesh_arrivals",
  {
    kind: text().notNull(),
    id: text().notNull(),
    arrivedAt: integer().notNull(),
    /** The peer that they were taken from, if it is one that is known here. */
    peerId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index("mesh_arrivals_arrived").on(table.kind, table.arrivedAt),
  ],
);
