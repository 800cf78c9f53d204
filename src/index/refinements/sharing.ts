import type { Sql } from "../../store/sql.ts";
import { readDocuments } from "../documents/packed-documents.ts";
import { newestMatches } from "../keyword/candidates.ts";
import { isInScope, type SearchScope, scopeGroups } from "../scope.ts";
import { type ForwardIndex, termFrequency, termHash } from "../words/forward.ts";
import { quoted, within } from "../words/match-text.ts";
import { documentFrequencies, readCollection } from "../words/term-frequency.ts";

/*
 * Finds the documents that share most of the words of a text, without reading all that share some. If the words are
 * divided into n + 1 groups, a document that lacks at most n of them contains all words of at least one group. Each
 * group gets one of the rarest words, which few documents contain; the other words of the group exclude most of these.
 */

/** The most words that are compared. Of a longer text a sample is taken, which differs about as much as the whole. */
const maxWords = 256;
/** The tolerance for a sample: by how many standard deviations its share may differ from that of the whole text. */
const deviations = 4;
const maxMatches = 400;

/** The words of a text, as terms of the index. */
interface TextWords {
  /** How many words are compared. */
  readonly count: number;
  /** For each word that any document contains, its rarest term; the rarest first. */
  readonly known: readonly string[];
  /** How many of the words have no term, so that the index cannot tell which documents contain them. */
  readonly untold: number;
  /** The words are a sample of a longer text. */
  readonly isPart: boolean;
}

/** Looks up the words of a text. `words`: for each word the terms that the index contains for it. */
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

/** Shuffles the words, always in the same way: by a hash, which depends neither on their places nor on their rarity. */
function spreadOut(words: readonly (readonly string[])[]): (readonly string[])[] {
  return words
    .map((terms) => ({ terms, hash: termHash(terms.join(" ")) }))
    .sort((a, b) => a.hash - b.hash)
    .map(({ terms }) => terms);
}

/**
 * The refs of the documents in a scope that may share more than `above` (0 to 1) of a text's words: of the newest
 * matches, those with most of the words. Undefined if the index cannot tell, because too few words have known terms.
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

/**
 * How many of the words a document may lack. If it shares more than `above` of all words of both, it lacks fewer than
 * the share 1 − `above` of the text's words.
 */
function mayLack({ count, isPart }: TextWords, above: number): number {
  const margin = isPart ? deviations * Math.sqrt(count * above * (1 - above)) : 0;
  return Math.ceil((1 - above) * count + margin) - 1;
}

function countHeld(document: ForwardIndex, hashes: readonly number[]): number {
  return hashes.reduce((held, hash) => held + (termFrequency(document, hash) === undefined ? 0 : 1), 0);
}
