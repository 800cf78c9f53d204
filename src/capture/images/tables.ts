import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Images that are kept as files, one per content. */
export const images = sqliteTable(
  "images",
  {
    /** SHA-256 of the bytes, in hex. */
    ref: text().primaryKey(),
    mime: text().notNull(),
    /** Ending of the file's name, without the dot. */
    extension: text().notNull(),
    bytes: integer().notNull(),
    createdAt: integer().notNull(),
    usedAt: integer().notNull(),
  },
  (table) => [index("images_used").on(table.usedAt)],
);

/** Which observations an image came with. Links outlive an image that had to make room. */
export const imageLinks = sqliteTable(
  "image_links",
  { observationId: text().notNull(), ref: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.observationId, table.ref] }),
    index("image_links_ref").on(table.ref),
  ],
);

/** Images that a request has stored, with or without a session; they stay while this names them. */
export const imagePins = sqliteTable(
  "image_pins",
  { ref: text().notNull(), sessionId: text(), agentId: text(), createdAt: integer().notNull() },
  (table) => [index("image_pins_ref").on(table.ref), index("image_pins_session").on(table.sessionId)],
);
