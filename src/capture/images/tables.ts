import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Images stored as files, one per content. */
export const images = sqliteTable(
  "images",
  {
    /** SHA-256 of the bytes, in hex. */
    ref: text().primaryKey(),
    mime: text().notNull(),
    /** The file name extension, without the dot. */
    extension: text().notNull(),
    bytes: integer().notNull(),
    createdAt: integer().notNull(),
    usedAt: integer().notNull(),
  },
  (table) => [index("images_used").on(table.usedAt)],
);

/** The observations that an image came with. A link stays when its image is evicted. */
export const imageLinks = sqliteTable(
  "image_links",
  { observationId: text().notNull(), ref: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.observationId, table.ref] }),
    index("image_links_ref").on(table.ref),
  ],
);

/** Images that a request stored, with or without a session; a pin keeps the image. */
export const imagePins = sqliteTable(
  "image_pins",
  { ref: text().notNull(), sessionId: text(), agentId: text(), createdAt: integer().notNull() },
  (table) => [index("image_pins_ref").on(table.ref), index("image_pins_session").on(table.sessionId)],
);
