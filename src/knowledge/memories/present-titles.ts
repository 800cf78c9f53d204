import type { Sql } from "../../store/sql.ts";
import { firstLine } from "../../text/first-line.ts";
import { openingLength } from "./title-in-full.ts";

/** In code points: a title that is not given is so much of the content's first line. */
export const titleFromContent = 80;

/**
 * The rows with titles that may stand beside their texts. A new version keeps the title of the one before; where nobody
 * gave that one either, it is the beginning of a text that holds no more, and the new text's own takes its place.
 */
export async function withPresentTitles<Row extends { readonly id: string; readonly title: string }>(
  sql: Sql,
  rows: readonly Row[],
): Promise<Row[]> {
  const versions = await sql.all<{ id: string; opening: string; before: string }>(
    `SELECT memories.id, substr(memories.content, 1, ${openingLength}) AS opening,
       substr(earlier.content, 1, ${openingLength}) AS before
     FROM memories CROSS JOIN json_each(memories.supersedes) AS one CROSS JOIN memories AS earlier
     WHERE memories.id IN (SELECT value FROM json_each(?)) AND earlier.id = one.value`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
  return rows.map((row) => {
    const kept = versions.find(
      ({ id, before }) => id === row.id && firstLine(before, titleFromContent) === row.title,
    );
    return kept === undefined ? row : { ...row, title: firstLine(kept.opening, titleFromContent) };
  });
}
