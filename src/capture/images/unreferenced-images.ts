import type { Sql } from "../../store/sql.ts";

const named = `(EXISTS (SELECT 1 FROM image_links WHERE image_links.ref = images.ref)
  OR EXISTS (SELECT 1 FROM image_pins WHERE image_pins.ref = images.ref))`;

/** As it stands in an ORDER BY of images: those that neither an observation nor a request names come first. */
export const unreferencedFirst = named;

/** As it stands after FROM or DELETE FROM: the images that neither an observation nor a request names. */
export const unreferencedImages = `images WHERE NOT ${named}`;

/** Deletes the rows of images that neither an observation nor a request names. */
export function deleteUnreferenced(sql: Sql): Promise<{ ref: string; extension: string }[]> {
  return sql.all(`DELETE FROM ${unreferencedImages} RETURNING ref, extension`);
}
