import type { Sql } from "../../store/sql.ts";

/** As it stands after FROM or DELETE FROM: the images that no observation names. */
export const unnamedImages =
  "images WHERE NOT EXISTS (SELECT 1 FROM image_links WHERE image_links.ref = images.ref)";

/** Deletes the rows of images that no observation names. */
export function deleteUnnamed(sql: Sql): Promise<{ ref: string; extension: string }[]> {
  return sql.all(`DELETE FROM ${unnamedImages} RETURNING ref, extension`);
}
