import type { Sql } from "../../store/sql.ts";
import { smallCounts } from "../../text/spellings.ts";
import type { Ranked } from "../hits.ts";
import type { QueryWords } from "../keyword/query-words.ts";
import { answerTest } from "./answer-kinds.ts";
import { codeSummary, summaryWorth } from "./code-summary.ts";
import { bestPassage, withPassage } from "./passage.ts";
import { isPlainWord, placesOf } from "./places.ts";
import { closenessOf, neighbouringWords } from "./proximity.ts";
import { isSpokenBy } from "./speaker.ts";

/*
 * Reranks the best documents by features that only their texts show: where in the text the query's words are, the
 * summary in a doc comment, whether it contains what the query asks for, and who speaks.
 */

/** How many texts are read, and how many words are searched for in them. */
export const rerankDepth = 16;
const lookedFor = 24;
/**
 * In characters: all of nearly any text, because the answer may be at its end; the summary of code is at the beginning.
 */
const readLength = 100_000;
const summaryWithin = 8_000;

/** Shares that are added to a score: if the text contains what the query asks for, and if its speaker is named. */
const answerShare = 0.3;
const speakerShare = 0.1;
/** The same if the text has a count of the query, such as `2h`, of which the index may know only the unit. */
const countShare = 0.3;

interface Judged<Hit extends Ranked> {
  readonly hit: Hit;
  /** The factor that is already part of the hit's score: see `priorOf` in keyword.ts. */
  readonly prior: number;
}

/**
 * Scores the first `wanted` hits again and returns all, in the same order. A query with fewer than two plain words
 * changes nothing, except by its counts.
 */
export async function rerankByText<Hit extends Ranked>(
  sql: Sql,
  query: string,
  asked: QueryWords,
  ranked: readonly Judged<Hit>[],
  wanted: number,
): Promise<Hit[]> {
  const hits = ranked.map(({ hit }) => hit);
  const looked = asked.words.filter(({ term }) => isPlainWord(term)).slice(0, lookedFor);
  const counts = /\d/.test(query) ? smallCounts(query) : [];
  const countedBy = (text: string) => (counts.some((count) => count.test(text)) ? 1 + countShare : 1);
  if (looked.length < 2 && counts.length === 0) return hits;
  const terms = looked.map(({ term }) => term);
  const pairs = neighbouringWords(asked.sequence, looked);
  const findIn = placesOf(terms);
  const isAnswer = answerTest(query);
  const named = new Set(terms);
  const texts = await readTexts(sql, hits.slice(0, wanted));
  const read = ranked.slice(0, wanted).map(({ prior, hit }) => {
    const { text, length } = texts.get(hit.id) ?? { text: "", length: 0 };
    if (looked.length < 2) return { ...hit, score: hit.score * countedBy(text) };
    const places = findIn(text);
    const summary = codeSummary(text.slice(0, summaryWithin));
    const summed = summary === undefined ? 0 : summaryWorth(summary, looked, places);
    const close = hit.score + prior * (closenessOf(pairs, places) + summed);
    const found = withPassage(close, length, () => prior * bestPassage(looked, places));
    const answers = isAnswer?.(text) === true ? 1 + answerShare : 1;
    const speaks = isSpokenBy(text, named) ? 1 + speakerShare : 1;
    return { ...hit, score: found * answers * speaks * countedBy(text) };
  });
  return [...read, ...hits.slice(wanted)];
}

interface ReadText {
  readonly text: string;
  /** The length of the whole body, in characters. */
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
