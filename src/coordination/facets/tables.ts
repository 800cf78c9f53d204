import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { FacetTarget } from "./record.ts";

export const facets = sqliteTable(
  "facets",
  {
    id: text().notNull(),
    targetId: text().notNull(),
    targetType: text().$type<FacetTarget>().notNull(),
    dimension: text().notNull(),
    value: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.targetId, table.targetType, table.dimension, table.value] }),
    index("facets_label").on(table.dimension, table.value),
  ],
);
