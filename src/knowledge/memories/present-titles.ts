import type { Sql } from "../../store/sql.ts";
import { firstLine } from "../../text/first-line.ts";
import { openingLength } from "./full-title.ts";
import type { Memory } from "./record.ts";

/** In code points: a title that is not given is so much of the content's first line. */
export const titleFromContent = 80;

/**
 * Titles that may stand beside their texts, by memory, where those are others than the stored ones. A new version keeps
 * the title of the one before; where nobody gave that one either, it is the beginning of a text that holds no more, and
 * the new text's own takes its place.
 */
export async function presentTitles(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const versions = await sql.all<{ id: string; title: string; opening: string; before: string }>(
    `SELECT memories.id, memories.title, substr(memories.content, 1, ${openingLength}) AS opening,
       substr(earlier.content, 1, ${openingLength}) AS before
     FROM memories CROSS JOIN json_each(memories.supersedes) AS one CROSS JOIN memories AS earlier
     WHERE memories.id IN (SELECT value FROM json_each(?)) AND earlier.id = one.value`,
    [JSON.stringify(ids)],
  );
  return new Map(
    versions
      .filter(({ title, before }) => title === firstLine(before, titleFromContent))
      .map(({ id, opening }) => [id, firstLine(opening, titleFromContent)]),
  );
}

/** The records with such titles beside their own. */
export async function addPresentTitles(sql: Sql, records: readonly Memory[]): Promise<Memory[]> {
  const renewed = records.filter(({ supersedes }) => supersedes.length > 0);
  if (renewed.length === 0) return [...records];
  const present = await presentTitles(
    sql,
    renewed.map(({ id }) => id),
  );
  return records.map((record) => {
    const presentTitle = present.get(record.id);
    return presentTitle === undefined ? record : { ...record, presentTitle };
  });
}

/** The rows with such titles. */
export async function applyPresentTitles<Row extends { readonly id: string; readonly title: string }>(
  sql: Sql,
  rows: readonly Row[],
): Promise<Row[]> {
  const present = await presentTitles(
    sql,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, title: present.get(row.id) ?? row.title }));
}
