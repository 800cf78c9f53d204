import type { Sql } from "../../store/sql.ts";
import { readDocuments } from "../documents/packed-documents.ts";
import { newestMatches } from "../keyword/candidates.ts";
import { isInScope, type SearchScope, scopeGroups } from "../scope.ts";
import { type ForwardIndex, termFrequency, termHash } from "../words/forward.ts";
import { quoted, within } from "../words/match-text.ts";
import { documentFrequencies, readCollection } from "../words/term-frequency.ts";

/*
 * Which documents share most of the words of a text, without a look at all those that share some. What lacks at most n
 * of the words holds all of at least one group, whichever way they are put into n + 1 groups. Each group gets one of
 * the rarest words, which few documents hold, and the others of the group leave out most of those.
 */

/** Of a longer text so many words stand for all: wherever two texts differ, those differ as much. */
const maxWords = 256;
/** By how many standard deviations the share of a part may differ from that of the whole. */
const deviations = 4;
const maxMatches = 400;

/** The words of a text, as the index knows them. */
interface TextWords {
  /** How many are looked at. */
  readonly count: number;
  /** Of each word that some document holds the rarest term, the rarest first. */
  readonly known: readonly string[];
  /** How many of them no term tells of. */
  readonly untold: number;
  /** They stand for more. */
  readonly isPart: boolean;
}

/** Takes for each word the terms that stand in the index wherever it stands. */
export async function readTextWords(sql: Sql, words: readonly (readonly string[])[]): Promise<TextWords> {
  const isPart = words.length > maxWords;
  const asked = isPart ? spreadOut(words).slice(0, maxWords) : words;
  const { documents } = await readCollection(sql);
  const frequencies = await documentFrequencies(sql, [...new Set(asked.flat())], documents, "rough");
  const known: { readonly term: string; readonly documents: number }[] = [];
  for (const terms of asked) {
    const [rarest] = terms
      .map((term) => ({ term, documents: frequencies.get(term) ?? 0 }))
      .sort((a, b) => a.documents - b.documents);
    if (rarest !== undefined && rarest.documents > 0) known.push(rarest);
  }
  return {
    count: asked.length,
    known: known.sort((a, b) => a.documents - b.documents).map(({ term }) => term),
    untold: asked.filter((terms) => terms.length === 0).length,
    isPart,
  };
}

/** In an order that has nothing to do with where words stand or how rare they are. */
function spreadOut(words: readonly (readonly string[])[]): (readonly string[])[] {
  return words
    .map((terms) => ({ terms, hash: termHash(terms.join(" ")) }))
    .sort((a, b) => a.hash - b.hash)
    .map(({ terms }) => terms);
}

/**
 * What the documents of a scope stand for that may hold more than a share of a text's words: the newest, and of them
 * those that hold most. Undefined where the terms cannot tell, since hardly a word has any.
 */
export async function documentsSharing(
  sql: Sql,
  words: TextWords,
  above: number,
  scope: SearchScope,
  limit: number,
): Promise<string[] | undefined> {
  const { count, known, untold } = words;
  const lacking = mayLack(words, above) - (count - untold - known.length);
  if (lacking < 0) return [];
  if (lacking >= known.length) return undefined;
  const groups = known.slice(0, lacking + 1).map((rarest) => [rarest]);
  for (const [at, term] of known.slice(groups.length).entries()) groups[at % groups.length]?.push(term);
  const holdsAGroup = groups.map((group) => group.map(quoted).join(" AND ")).map((group) => `(${group})`);
  const match = within([`{body scope} : (${holdsAGroup.join(" OR ")})`], await scopeGroups(sql, scope));
  const newest = await newestMatches(sql, match, maxMatches);
  const rows = await readDocuments(sql, newest, { project: true, agent: true });
  const found = rows.filter((row) => isInScope(scope, row));
  if (found.length <= limit) return found.map(({ ref }) => ref);
  const hashes = known.map(termHash);
  return found
    .map(({ ref, document }) => ({ ref, terms: document.terms, held: countHeld(document, hashes) }))
    .sort((a, b) => b.held - a.held || a.terms - b.terms)
    .slice(0, limit)
    .map(({ ref }) => ref);
}

/** What shares more than `above` of all words of both lacks less than the rest of the words of one. */
function mayLack({ count, isPart }: TextWords, above: number): number {
  const margin = isPart ? deviations * Math.sqrt(count * above * (1 - above)) : 0;
  return Math.ceil((1 - above) * count + margin) - 1;
}

function countHeld(document: ForwardIndex, hashes: readonly number[]): number {
  return hashes.reduce((held, hash) => held + (termFrequency(document, hash) === undefined ? 0 : 1), 0);
}
