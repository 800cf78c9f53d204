import type { Sql } from "../../store/sql.ts";
import { liveSql } from "./live-sql.ts";
import type { MemoryRow } from "./record.ts";
import { memoryRows } from "./rows.ts";
import { applyPresentTitles } from "./titles/present-titles.ts";

const pageSize = 200;

/** A live memory with its present title, and those of its earlier versions that are still stored, by id. */
interface LiveMemory {
  readonly row: MemoryRow;
  readonly earlier: ReadonlyMap<string, string>;
}

/** Latest versions that have not expired, of the given projects or of all, ordered by id. */
export async function* liveMemories(
  sql: Sql,
  keys: readonly string[] | undefined,
  now: number,
): AsyncGenerator<LiveMemory> {
  const standing = {
    text: `${liveSql("?1")}
      AND (?2 IS NULL OR project_key IN (SELECT value FROM json_each(?2)))`,
    args: [now, keys === undefined ? null : JSON.stringify(keys)],
  };
  for await (const page of memoryRows.pages(sql, pageSize, standing)) {
    const ids = page.flatMap(({ supersedes }) => supersedes);
    const titles = ids.length === 0 ? new Map<string, string>() : await titlesOf(sql, ids);
    for (const row of await applyPresentTitles(sql, page)) {
      const earlier = row.supersedes.flatMap((id): [string, string][] => {
        const title = titles.get(id);
        return title === undefined ? [] : [[id, title]];
      });
      yield { row, earlier: new Map(earlier) };
    }
  }
}

async function titlesOf(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.all<{ id: string; title: string }>(
    "SELECT id, title FROM memories WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify(ids)],
  );
  return new Map((await applyPresentTitles(sql, rows)).map(({ id, title }) => [id, title]));
}
