import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Vectors of stored images. */
export const imageVectors = sqliteTable("image_vectors", {
  ref: text().primaryKey(),
  /** Fingerprint of the model that made it; images with a vector of another model are embedded again. */
  fingerprint: text().notNull(),
  /** Unit vector as little-endian 32-bit floats; null when the image cannot be decoded. */
  vector: blob({ mode: "buffer" }),
  updatedAt: integer().notNull(),
});
