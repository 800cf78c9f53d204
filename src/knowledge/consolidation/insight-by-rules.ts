import { compareTexts } from "../../text/compare-texts.ts";
import { contentSimilarity, jaccard } from "../../text/similarity.ts";
import type { NewInsight } from "../insights/insights.ts";
import { statementKey } from "../statements/statement-key.ts";
import { deduplicateLines } from "./deduplicate-lines.ts";
import type { Statement, TermCluster } from "./term-clusters.ts";

const conceptsInTitle = 3;
const furtherStatements = 2;
const distinctBelow = 0.7;
const confidenceByRules = 0.3;

/** What the statements about the same concepts show together. */
export type Drawn = Pick<NewInsight, "title" | "content" | "confidence" | "provider"> & {
  readonly concepts: readonly string[];
  readonly sources: readonly Statement[];
};

/**
 * Combines the statement most similar to the others, by the words that say what it is about, and up to two that differ
 * from it.
 */
export function insightByRules({ concepts, shared, kindred: read }: TermCluster): Drawn {
  const ranked = read
    .map(({ statement, terms }) => ({
      statement,
      likeness: read.reduce(
        (sum, other) => sum + (other.statement.text === statement.text ? 0 : jaccard(terms, other.terms)),
        0,
      ),
    }))
    .sort(
      (a, b) =>
        b.likeness - a.likeness ||
        a.statement.text.length - b.statement.text.length ||
        compareTexts(statementKey(a.statement.text), statementKey(b.statement.text)),
    )
    .map(({ statement }) => deduplicateLines(statement.text));
  const said: string[] = [];
  for (const text of ranked) {
    const isDistinct = said.every(
      (other) =>
        !other.includes(text) && !text.includes(other) && contentSimilarity(other, text) < distinctBelow,
    );
    if (isDistinct) said.push(text);
    if (said.length > furtherStatements) break;
  }
  return {
    title: `Recurring: ${shared.slice(0, conceptsInTitle).join(", ")}`,
    // Sorted, so that the same statements give the same text whichever ranks first now: else the insight
    // would be made again instead of being recognised.
    content: deduplicateLines(said.sort(compareTexts).join("\n")),
    confidence: confidenceByRules,
    provider: "extractive",
    concepts,
    sources: read.map(({ statement }) => statement),
  };
}
