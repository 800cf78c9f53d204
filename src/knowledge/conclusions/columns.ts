import { integer, real, text } from "drizzle-orm/sqlite-core";

/** The columns that all conclusions (lessons, insights) have in common. */
export const conclusionColumns = {
  content: text().notNull(),
  /**
   * A hash of the content without case and surrounding blanks: saving the same words again reinforces the
   * conclusion.
   */
  contentKey: text().notNull(),
  /** As of the last reinforcement; the decay since then is computed when it is read. */
  confidence: real().notNull(),
  decayRate: real().notNull(),
  reinforcements: integer().notNull(),
  project: text(),
  projectKey: text(),
  agentId: text(),
  tags: text({ mode: "json" }).$type<string[]>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  lastReinforcedAt: integer(),
  deleted: integer({ mode: "boolean" }).notNull(),
};
