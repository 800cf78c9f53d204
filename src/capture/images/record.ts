import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import type { Sql } from "../../store/sql.ts";

const ImageRecord = z
  .object({
    imageRef: z.string().describe("SHA-256 of the image's bytes, in hex"),
    mime: z.string().describe("kind of image, such as image/png"),
    bytes: z.number().int().describe("size"),
    refCount: z.number().int().describe("observations that it came with"),
    createdAt: TimeText.describe("when it was first kept"),
  })
  .meta({ id: "Image" });
type ImageRecord = z.infer<typeof ImageRecord>;

/** Stored images ordered by reference, after a given one. */
export async function imageRecords(
  sql: Sql,
  page: { readonly after?: string; readonly limit: number },
): Promise<(ImageRecord & { readonly extension: string })[]> {
  const rows = await sql.all<Omit<ImageRecord, "createdAt"> & { createdAt: number; extension: string }>(
    `SELECT ref AS imageRef, mime, extension, bytes, created_at AS createdAt,
       (SELECT count(*) FROM image_links WHERE image_links.ref = images.ref) AS refCount
     FROM images WHERE ref > ? ORDER BY ref LIMIT ?`,
    [page.after ?? "", page.limit],
  );
  return rows.map((row) => ({ ...row, createdAt: timeText(row.createdAt) }));
}
