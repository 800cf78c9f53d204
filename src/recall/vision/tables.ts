import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What a model of images made of kept images. */
export const imageVectors = sqliteTable("image_vectors", {
  ref: text().primaryKey(),
  /** The model that made it; vectors of another are made anew. */
  fingerprint: text().notNull(),
  /** Little-endian 32-bit numbers, at length 1; none where the image cannot be decoded. */
  vector: blob({ mode: "buffer" }),
  updatedAt: integer().notNull(),
});
