import { textAfterAnyLabel } from "../../capture/observations/rules/fact-labels.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { withPlainLetters } from "../../text/plain-letters.ts";
import { isFunctionWord, latinLanguage } from "../../text/query-language.ts";
import { jaccard, tokenSet } from "../../text/similarity.ts";
import { withoutMarks } from "../../text/tokens.ts";
import { isTellingTerm } from "./telling-terms.ts";

/* Clusters of concepts that occur together, without the graph: words and tags whose statements overlap. */

const leastOverlap = 0.3;
const fewestStatements = 2;
const mostTerms = 200;
const mostConcepts = 10;
const onlyDigits = /^\p{N}+$/u;

/** A conclusion from which clusters are made. */
export interface Statement {
  readonly kind: "fact" | "lesson" | "crystal" | "memory";
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** A statement with its set of words and tags. */
export interface TokenizedStatement {
  readonly statement: Statement;
  readonly terms: ReadonlySet<string>;
}

export function tokenizeStatement(statement: Statement): TokenizedStatement {
  const { kind, text, tags } = statement;
  // The label of a fact says its kind, not its subject.
  const said = kind === "fact" ? (textAfterAnyLabel(text) ?? text) : text;
  const language = latinLanguage(said)?.language;
  const joins = (word: string) =>
    language !== undefined && isFunctionWord(language, withPlainLetters(withoutMarks(word)));
  const words = [...tokenSet(said)].filter(
    (word) => isTellingTerm(word) && !joins(word) && !onlyDigits.test(word),
  );
  return { statement, terms: new Set([...tags.map((tag) => tag.toLowerCase()), ...words]) };
}

/** Clusters of at least two terms, those with most statements first. No term is in two clusters. */
export function termClusters(statements: readonly TokenizedStatement[]): string[][] {
  const where = new Map<string, Set<number>>();
  statements.forEach(({ terms }, at) => {
    for (const term of terms) {
      const found = where.get(term) ?? new Set<number>();
      where.set(term, found.add(at));
    }
  });
  const tagged = new Set(
    statements.flatMap(({ statement }) => statement.tags.map((tag) => tag.toLowerCase())),
  );
  const rank = (term: string) => (tagged.has(term) ? 0 : 1);
  const terms = [...where]
    .filter(([, found]) => found.size >= fewestStatements)
    .sort(([a, first], [b, second]) => second.size - first.size || rank(a) - rank(b) || compareTexts(a, b))
    .slice(0, mostTerms);
  const taken = new Set<string>();
  const clusters: string[][] = [];
  for (const [seed, found] of terms) {
    if (taken.has(seed)) continue;
    const near = terms
      .filter(([term]) => term !== seed && !taken.has(term))
      .map(([term, others]) => ({ term, overlap: jaccard(found, others) }))
      .filter(({ overlap }) => overlap > leastOverlap)
      .sort((a, b) => b.overlap - a.overlap)
      .slice(0, mostConcepts - 1);
    if (near.length === 0) continue;
    const cluster = [seed, ...near.map(({ term }) => term)];
    for (const term of cluster) taken.add(term);
    clusters.push(cluster);
  }
  return clusters;
}

/** A cluster with what was said about it. */
export interface TermCluster {
  readonly concepts: readonly string[];
  /** Those of the concepts that several of the kindred statements contain, the most frequent first. */
  readonly shared: readonly string[];
  /** The statements that contain several of the concepts, those that contain most of them first. */
  readonly about: readonly TokenizedStatement[];
  /** Those of them of which each two share a concept: the others may have nothing to do with them. */
  readonly kindred: readonly TokenizedStatement[];
}

/** A cluster of the concepts that say something, with the statements that contain at least `least` of them. */
export function clusterOf(
  concepts: readonly string[],
  statements: readonly TokenizedStatement[],
  least: number,
): TermCluster {
  const asked = concepts
    .filter(isTellingTerm)
    .map((concept) => ({ concept, tag: concept.toLowerCase(), words: [...tokenSet(concept)] }));
  const about = statements
    .map((statement) => ({ statement, held: asked.filter((one) => holds(statement.terms, one)) }))
    .filter(({ held }) => held.length >= least)
    .sort((a, b) => b.held.length - a.held.length);
  const byCount = (of: typeof about) =>
    asked
      .map((one) => ({ one, count: of.filter(({ held }) => held.includes(one)).length }))
      .sort((a, b) => b.count - a.count);
  const first = byCount(about)[0]?.one;
  const isAboutFirst = ({ held }: (typeof about)[number]) => first !== undefined && held.includes(first);
  const kindred = about.filter(isAboutFirst);
  for (const one of about)
    if (!isAboutFirst(one) && kindred.every(({ held }) => held.some((concept) => one.held.includes(concept))))
      kindred.push(one);
  return {
    concepts: asked.map(({ concept }) => concept),
    shared: byCount(kindred).flatMap(({ one, count }) => (count >= fewestStatements ? one.concept : [])),
    about: about.map(({ statement }) => statement),
    kindred: kindred.map(({ statement }) => statement),
  };
}

/** A statement contains a concept as a tag, or as all of its words. */
function holds(
  terms: ReadonlySet<string>,
  { tag, words }: { readonly tag: string; readonly words: readonly string[] },
): boolean {
  return terms.has(tag) || (words.length > 0 && words.every((word) => terms.has(word)));
}
