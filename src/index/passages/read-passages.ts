import type { Sql } from "../../store/sql.ts";
import { readQueryWords } from "../keyword/query-words.ts";
import type { PassageQuestion, Passages } from "../search-streams.ts";
import { storedWords } from "../words/stored-words.ts";
import type { WordIndex } from "../words/word-index.ts";
import { passageLength } from "./passage.ts";
import { passageByQuery } from "./passage-by-query.ts";

/**
 * The most characters that are searched, of one text and of all texts together. A search has at most a hundred hits.
 */
const readOfEach = 40_000;
const readOfAll = 400_000;

/**
 * The passages by which a query matches documents. A document has none if its beginning shows the match, or if the
 * documents before it used up the limit of characters.
 */
export async function readPassages(
  sql: Sql,
  { query, ids }: PassageQuestion,
  index: WordIndex = storedWords(sql),
): Promise<Passages> {
  const rows = await sql.all<{ id: number; title: string; body: string }>(
    `SELECT documents.id, title, substr(body, 1, ${readOfEach}) AS body
    FROM json_each(?) AS shown CROSS JOIN documents ON documents.id = shown.value
    WHERE length(body) > ${passageLength}`,
    [JSON.stringify(ids)],
  );
  const found = new Map<number, string>();
  if (rows.length === 0) return found;
  const { documents } = await index.collection();
  const { words } = await readQueryWords(index, query, documents);
  const passageOf = passageByQuery(query, words);
  let room = readOfAll;
  for (const { id, ...text } of rows) {
    room -= text.body.length;
    if (room < 0) break;
    const passage = passageOf(text);
    if (passage !== undefined) found.set(id, passage);
  }
  return found;
}
