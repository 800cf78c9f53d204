import type { Reader } from "../api.ts";

/** As many records as one request may ask for in full. */
const mostRead = 20;

/** Titles of records by id; those of actions are not among them. */
export type RecordTitles = ReadonlyMap<string, string>;

/** Titles of the first of these memories, observations and lessons, as far as they are still stored. */
export async function recordTitles(reader: Reader, ids: readonly string[]): Promise<RecordTitles> {
  const expandIds = [...new Set(ids)].slice(0, mostRead);
  if (expandIds.length === 0) return new Map();
  const { results } = await reader.post("/smart-search", { expandIds });
  return new Map(results.map(({ obsId, title }) => [obsId, title]));
}
