import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Compression, Origin } from "./record.ts";

export const observations = sqliteTable(
  "observations",
  {
    /** The order of arrival. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    sessionId: text().notNull(),
    projectKey: text().notNull(),
    agentId: text(),
    timestamp: integer().notNull(),
    receivedAt: integer().notNull(),
    hookType: text().notNull(),
    type: text().notNull(),
    title: text().notNull(),
    subtitle: text(),
    facts: text({ mode: "json" }).$type<string[]>().notNull(),
    narrative: text().notNull(),
    concepts: text({ mode: "json" }).$type<string[]>().notNull(),
    files: text({ mode: "json" }).$type<string[]>().notNull(),
    importance: real().notNull(),
    confidence: real().notNull(),
    compression: text().$type<Compression>().notNull(),
    toolName: text(),
    modality: text(),
    imageRef: text(),
    imageDescription: text(),
    channel: text().$type<Origin["channel"]>().notNull(),
    /** SHA-256 of the event as sent, before redaction; identifies repeated deliveries. */
    contentHash: text().notNull(),
    /** When a memory was first made from it; null until then. */
    consolidatedAt: integer(),
  },
  (table) => [
    index("observations_session").on(table.sessionId, table.timestamp, table.seq),
    index("observations_hash").on(table.contentHash, table.receivedAt),
    index("observations_time").on(table.timestamp, table.seq),
    index("observations_project").on(table.projectKey, table.timestamp),
    index("observations_errors").on(table.projectKey, table.title).where(sql`type = 'error'`),
    index("observations_prompts")
      .on(table.projectKey, table.timestamp)
      .where(sql`hook_type = 'prompt_submit'`),
  ],
);

/**
 * The redacted event, in a table of its own because lists and searches do not read it. Fields that its data
 * contains are omitted and their positions stored, so it is read through stored-event.ts.
 */
export const rawEvents = sqliteTable("raw_events", {
  observationId: text().primaryKey(),
  event: text().notNull(),
  toolInputFrom: integer(),
  toolInputLength: integer(),
  toolOutputFrom: integer(),
  toolOutputLength: integer(),
  userPromptFrom: integer(),
  userPromptLength: integer(),
  assistantResponseFrom: integer(),
  assistantResponseLength: integer(),
  errorFrom: integer(),
  errorLength: integer(),
});

/** Observations that a model is to compress; removed with the outcome, whatever it is. */
export const pendingCompressions = sqliteTable(
  "pending_compressions",
  {
    observationId: text().primaryKey(),
    sessionId: text().notNull(),
    /** How often a model gave no usable answer about it. */
    tries: integer().notNull().default(0),
  },
  (table) => [index("pending_compressions_session").on(table.sessionId, table.tries)],
);
