import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PeerStatus } from "./record.ts";
import type { MeshScope } from "./scope-names.ts";

/** Times by scope, in milliseconds since 1970: for pulls by the peer's clock, for pushes by ours. */
type Moments = Partial<Record<MeshScope, number>>;

/** The services that this one exchanges rows with. */
export const meshPeers = sqliteTable("mesh_peers", {
  id: text().primaryKey(),
  url: text().notNull(),
  name: text().notNull(),
  sharedScopes: text({ mode: "json" }).$type<MeshScope[]>().notNull(),
  /** If set, only rows of this project are exchanged. */
  project: text(),
  status: text().$type<PeerStatus>().notNull(),
  lastSyncAt: integer(),
  lastError: text(),
  /** Until when the peer's changes have been pulled. */
  pulledTo: text({ mode: "json" }).$type<Moments>().notNull(),
  /** Until when our changes have been pushed to the peer. */
  pushedTo: text({ mode: "json" }).$type<Moments>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

/**
 * When rows came from elsewhere. A row keeps the time of its last change, which may be long ago, yet it is
 * new for peers who ask for recent changes of this store.
 */
export const meshArrivals = sqliteTable(
  "mesh_arrivals",
  {
    kind: text().notNull(),
    id: text().notNull(),
    arrivedAt: integer().notNull(),
    /** The registered peer that the rows came from; null if there is none. */
    peerId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index("mesh_arrivals_arrived").on(table.kind, table.arrivedAt),
  ],
);
