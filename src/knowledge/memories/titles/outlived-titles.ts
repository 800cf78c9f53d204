import { eq, inArray } from "drizzle-orm";
import { putDocument } from "../../../index/documents/documents.ts";
import { changedAt } from "../../../store/changed-at.ts";
import { chunksOf } from "../../../store/chunks.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { firstLine } from "../../../text/first-line.ts";
import { memoryDocument } from "../document.ts";
import { memories } from "../tables.ts";
import { openingLength } from "./full-title.ts";
import { titleFromContent } from "./present-titles.ts";

const rowsPerRead = 500;

/**
 * Before memories are deleted: newer versions that stay, and whose title is the beginning of a deleted text, get the
 * beginning of their own text as title. Else they would go on to show what was deleted, and be found by it.
 */
export async function replaceOutlivedTitles(
  tx: Transaction,
  deleted: readonly string[],
  now: number,
): Promise<void> {
  for (const ids of chunksOf(await newerVersions(tx.sql, deleted), rowsPerRead)) {
    const rows = await tx.orm.select().from(memories).where(inArray(memories.id, ids));
    for (const row of rows) {
      const title = firstLine(row.content, titleFromContent);
      const updatedAt = changedAt(now, row.updatedAt);
      await tx.orm.update(memories).set({ title, updatedAt }).where(eq(memories.id, row.id));
      if (row.isLatest) await putDocument(tx.sql, memoryDocument({ ...row, title, updatedAt }));
    }
  }
}

/** Versions that stay and have a title from the text of one that is deleted. */
async function newerVersions(sql: Sql, deleted: readonly string[]): Promise<string[]> {
  const versions = await sql.all<{ id: string; title: string; before: string }>(
    `WITH gone(id) AS MATERIALIZED (SELECT value FROM json_each(?))
     SELECT memories.id, memories.title, substr(earlier.content, 1, ${openingLength}) AS before
     FROM memories CROSS JOIN json_each(memories.supersedes) AS one CROSS JOIN memories AS earlier
     WHERE memories.supersedes <> '[]' AND one.value IN gone AND earlier.id = one.value AND memories.id NOT IN gone`,
    [JSON.stringify(deleted)],
  );
  const titled = versions.filter(({ title, before }) => title === firstLine(before, titleFromContent));
  return [...new Set(titled.map(({ id }) => id))];
}
