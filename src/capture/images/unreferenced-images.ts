import type { Sql } from "../../store/sql.ts";
import type { ImageFile } from "./files.ts";

const named = `(EXISTS (SELECT 1 FROM image_links WHERE image_links.ref = images.ref)
  OR EXISTS (SELECT 1 FROM image_pins WHERE image_pins.ref = images.ref))`;

/** For ORDER BY: images without links and pins come first. */
export const unreferencedFirst = named;

/** For FROM or DELETE FROM: the images without links and pins. */
export const unreferencedImages = `images WHERE NOT ${named}`;

/** Deletes the rows of images without links and pins. */
export function deleteUnreferenced(sql: Sql): Promise<ImageFile[]> {
  return sql.all(`DELETE FROM ${unreferencedImages} RETURNING ref, extension`);
}
