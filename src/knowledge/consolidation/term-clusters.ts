import { textAfterAnyLabel } from "../../capture/observations/rules/fact-labels.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { jaccard, tokenSet } from "../../text/similarity.ts";
import { stopWords } from "../../text/stop-words.ts";

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
interface TokenizedStatement {
  readonly statement: Statement;
  readonly terms: ReadonlySet<string>;
}

export function tokenizeStatement(statement: Statement): TokenizedStatement {
  const { kind, text, tags } = statement;
  // The label of a fact says its kind, not its subject.
  const said = kind === "fact" ? (textAfterAnyLabel(text) ?? text) : text;
  const words = [...tokenSet(said)].filter((word) => !stopWords.has(word) && !onlyDigits.test(word));
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

/** The statements that contain at least `least` of the concepts, those that contain most of them first. */
export function statementsAbout(
  concepts: readonly string[],
  statements: readonly TokenizedStatement[],
  least: number,
): Statement[] {
  const asked = concepts.map((concept) => ({ tag: concept.toLowerCase(), words: [...tokenSet(concept)] }));
  return statements
    .map(({ statement, terms }) => ({
      statement,
      held: asked.filter((concept) => holds(terms, concept)).length,
    }))
    .filter(({ held }) => held >= least)
    .sort((a, b) => b.held - a.held)
    .map(({ statement }) => statement);
}

/** A statement contains a concept as a tag, or as all of its words. */
function holds(
  terms: ReadonlySet<string>,
  { tag, words }: { readonly tag: string; readonly words: readonly string[] },
): boolean {
  return terms.has(tag) || (words.length > 0 && words.every((word) => terms.has(word)));
}
