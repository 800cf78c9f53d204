import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/**
 * One row per searchable record. The columns that ranking reads stand before the long texts, so that reading
 * them follows no overflow page.
 */
export const documents = sqliteTable(
  "documents",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    /** Id of the record that the document stands for; unique within its kind. */
    ref: text("ref").notNull(),
    projectKey: text("project_key"),
    agentId: text("agent_id"),
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Milliseconds; from then on no search returns the document. */
    hiddenAfter: integer("hidden_after"),
    /** How much the record matters in itself, 0 to 1. */
    importance: real("importance").notNull(),
    type: text("type").notNull(),
    /** Project as it was given; `project_key` is what is matched. */
    project: text("project"),
    /** Term frequencies: see forward.ts. */
    forward: blob("forward", { mode: "buffer" }).notNull(),
    title: text("title").notNull(),
    /** JSON array of strings, like `files`. */
    concepts: text("concepts").notNull(),
    files: text("files").notNull(),
    body: text("body").notNull(),
    /** By which version of the rules its words were made: see `tokenVersion`. */
    tokenVersion: integer("token_version").notNull().default(1),
  },
  (table) => [
    unique("documents_kind_ref").on(table.kind, table.ref),
    index("documents_session").on(table.sessionId),
    index("documents_token_version").on(table.tokenVersion),
  ],
);

/** What the embedding model made of a document: one vector a chunk, float32, with what made it. */
export const documentVectors = sqliteTable(
  "document_vectors",
  {
    documentId: integer("document_id").notNull(),
    chunk: integer("chunk").notNull(),
    /** Model and runtime; vectors of another fingerprint are not comparable and count as missing. */
    fingerprint: text("fingerprint").notNull(),
    vector: blob("vector", { mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.chunk] }),
    // Counts the documents that have vectors without reading the vectors.
    index("document_vectors_embedded").on(table.fingerprint).where(sql`chunk = 0`),
  ],
);

/** Documents that wait for their vectors; kept by triggers, so a document and its place here are one write. */
export const pendingVectors = sqliteTable("pending_vectors", {
  documentId: integer("document_id").primaryKey(),
});

/**
 * What a scan in SQL reads of each vector: 8 bits a dimension, with what a scope asks of its document beside it, so
 * that it follows no row of the two large tables. Kept by triggers.
 */
export const vectorCodes = sqliteTable(
  "vector_codes",
  {
    documentId: integer("document_id").notNull(),
    chunk: integer("chunk").notNull(),
    fingerprint: text("fingerprint").notNull(),
    dimensions: integer("dimensions").notNull(),
    kind: text("kind").notNull(),
    projectKey: text("project_key"),
    agentId: text("agent_id"),
    createdAt: integer("created_at").notNull(),
    hiddenAfter: integer("hidden_after"),
    code: blob("code", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.chunk] })],
);

/**
 * Log of the documents whose vectors or scope changed, for those who hold vectors in memory. Numbers follow one
 * another without a gap; the oldest are dropped. Kept by triggers.
 */
export const vectorChanges = sqliteTable("vector_changes", {
  change: integer("change").primaryKey(),
  documentId: integer("document_id").notNull(),
  /** Random: two databases that went apart have other stamps at the same number. */
  stamp: integer("stamp").notNull(),
});

/** Log of the documents that were changed or deleted, for those who hold words in memory; kept as the one of vectors. */
export const documentChanges = sqliteTable("document_changes", {
  change: integer("change").primaryKey(),
  documentId: integer("document_id").notNull(),
  stamp: integer("stamp").notNull(),
});
