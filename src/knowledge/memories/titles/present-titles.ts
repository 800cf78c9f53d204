import type { Sql } from "../../../store/sql.ts";
import { firstLine } from "../../../text/first-line.ts";
import type { Memory } from "../record.ts";
import { fullTitle, openingLength } from "./full-title.ts";

/** In code points: a title that was not given is that much of the content's first line. */
export const titleFromContent = 80;

/**
 * Titles to show instead of stored ones that are outdated, by memory id. A new version keeps the title of the
 * one before. If nobody gave that one, it is the beginning of the old text, which may not hold any more; then
 * the beginning of the new text is the present title.
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

/** Present titles by memory id; a title that is the cut beginning of its content with more of the same line. */
export async function fullTitles(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.all<{ id: string; title: string; opening: string }>(
    `SELECT id, title, substr(content, 1, ${openingLength}) AS opening FROM memories
     WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  const present = await presentTitles(sql, ids);
  return new Map(rows.map(({ id, title, opening }) => [id, fullTitle(present.get(id) ?? title, opening)]));
}

/** The record with its present title, if the stored one is outdated. */
export async function withPresentTitle(sql: Sql, record: Memory): Promise<Memory> {
  const [titled = record] = await addPresentTitles(sql, [record]);
  return titled;
}

/** Adds the present title to records whose stored one is outdated. */
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

/** Replaces outdated titles of rows by the present ones. */
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
