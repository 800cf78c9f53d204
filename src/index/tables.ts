import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/**
 * One row per searchable record. The columns that ranking reads come before the long texts, so that reading them
 * touches no overflow pages.
 */
export const documents = sqliteTable(
  "documents",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    /** Id of the record that the document represents; unique within its kind. */
    ref: text("ref").notNull(),
    projectKey: text("project_key"),
    agentId: text("agent_id"),
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Milliseconds; from then on no search returns the document. */
    hiddenAfter: integer("hidden_after"),
    /** How important the record is, whatever is searched for; 0 to 1. */
    importance: real("importance").notNull(),
    type: text("type").notNull(),
    /** The project's name as it was given; searches match `project_key`. */
    project: text("project"),
    /** Term frequencies: see forward.ts. */
    forward: blob("forward", { mode: "buffer" }).notNull(),
    title: text("title").notNull(),
    /** JSON array of strings, like `files`. */
    concepts: text("concepts").notNull(),
    files: text("files").notNull(),
    body: text("body").notNull(),
    /** The `tokenVersion` of the rules that produced the document's tokens. */
    tokenVersion: integer("token_version").notNull().default(1),
  },
  (table) => [
    unique("documents_kind_ref").on(table.kind, table.ref),
    index("documents_session").on(table.sessionId),
    index("documents_token_version").on(table.tokenVersion),
  ],
);

/** The embeddings of a document: one float32 vector per chunk of its text. */
export const documentVectors = sqliteTable(
  "document_vectors",
  {
    documentId: integer("document_id").notNull(),
    chunk: integer("chunk").notNull(),
    /** Identifies model and runtime. Vectors of another fingerprint are not comparable and count as missing. */
    fingerprint: text("fingerprint").notNull(),
    vector: blob("vector", { mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.chunk] }),
    // Counts the documents that have vectors without reading the vectors.
    index("document_vectors_embedded").on(table.fingerprint).where(sql`chunk = 0`),
  ],
);

/** The queue of documents that need vectors. It is filled in the write that adds or changes the document. */
export const pendingVectors = sqliteTable("pending_vectors", {
  documentId: integer("document_id").primaryKey(),
});

/**
 * The rows that a vector scan in SQL reads: each vector quantised to 8 bits per dimension, with the fields of its
 * document that a scope tests, so that the scan reads neither of the two large tables. Maintained by triggers.
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
 * Log of the documents whose vectors or scope fields changed, for processes that hold vectors in memory. Change numbers
 * have no gaps; the oldest rows are dropped. Written by triggers.
 */
export const vectorChanges = sqliteTable("vector_changes", {
  change: integer("change").primaryKey(),
  documentId: integer("document_id").notNull(),
  /** Random, so that copies of a database that were changed separately have different stamps at the same number. */
  stamp: integer("stamp").notNull(),
});

/** Log of the documents that were changed or deleted, for processes that hold words in memory; like `vectorChanges`. */
export const documentChanges = sqliteTable("document_changes", {
  change: integer("change").primaryKey(),
  documentId: integer("document_id").notNull(),
  stamp: integer("stamp").notNull(),
});
