import { integer, real, text } from "drizzle-orm/sqlite-core";

/** What is kept of everything that was concluded (lessons, insights): its words, whose it is and how sure it is. */
export const conclusionColumns = {
  content: text().notNull(),
  /** The content without case and outer blanks, hashed: the same words again are a reinforcement. */
  contentKey: text().notNull(),
  /** As of the last reinforcement; it fades when it is read. */
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
