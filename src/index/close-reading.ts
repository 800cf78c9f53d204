import type { Sql } from "../store/sql.ts";
import type { Ranked } from "./hits.ts";
import { bestPassage, withPassage } from "./passage.ts";
import { isPlainWord, placesOf } from "./places.ts";
import { closenessOf, neighbouringWords } from "./proximity.ts";
import type { QueryWords } from "./query-words.ts";

/*
 * What only the text of a document tells: where the words of the query stand in it. Texts are long, so those
 * of the best alone are read.
 */

/** The texts of so many are looked at, and so much of each, for so many words. */
export const closelyRead = 16;
const readLength = 8_000;
const lookedFor = 24;

interface Judged<Hit extends Ranked> {
  readonly hit: Hit;
  /** What the document is worth before anything is asked. */
  readonly prior: number;
}

/** Scores the best again, in their order; the others stay as they are. A query of one word tells nothing more. */
export async function readClosely<Hit extends Ranked>(
  sql: Sql,
  asked: QueryWords,
  ranked: readonly Judged<Hit>[],
): Promise<Hit[]> {
  const hits = ranked.map(({ hit }) => hit);
  const looked = asked.words.filter(({ term }) => isPlainWord(term)).slice(0, lookedFor);
  if (looked.length < 2) return hits;
  const pairs = neighbouringWords(asked.sequence, looked);
  const findIn = placesOf(looked.map(({ term }) => term));
  const texts = await readTexts(sql, hits.slice(0, closelyRead));
  const read = ranked.slice(0, closelyRead).map(({ prior, hit }) => {
    const { text, length } = texts.get(hit.id) ?? { text: "", length: 0 };
    const places = findIn(text);
    const score = hit.score + prior * closenessOf(pairs, places);
    return { ...hit, score: withPassage(score, length, () => prior * bestPassage(looked, places)) };
  });
  return [...read, ...hits.slice(closelyRead)];
}

interface ReadText {
  readonly text: string;
  /** Of the whole body, in characters. */
  readonly length: number;
}

async function readTexts(sql: Sql, ranked: readonly Ranked[]): Promise<Map<number, ReadText>> {
  const rows = await sql.all<ReadText & { id: number }>(
    `SELECT documents.id, title || char(10) || substr(body, 1, ${readLength}) AS text, length(body) AS length
    FROM json_each(?) AS ranked CROSS JOIN documents ON documents.id = ranked.value`,
    [JSON.stringify(ranked.map(({ id }) => id))],
  );
  return new Map(rows.map(({ id, text, length }) => [id, { text, length }]));
}
