import { compareTexts } from "../../text/compare-texts.ts";
import { contentSimilarity } from "../../text/similarity.ts";
import type { NewInsight } from "../insights/insights.ts";
import { statementKey } from "../statements/statement-key.ts";
import { deduplicateLines } from "./deduplicate-lines.ts";
import type { Statement } from "./term-clusters.ts";

const conceptsInTitle = 3;
const furtherStatements = 2;
const distinctBelow = 0.7;
const confidenceByRules = 0.3;

/** What the statements about the same concepts show together. */
export type Drawn = Pick<NewInsight, "title" | "content" | "confidence" | "provider"> & {
  readonly concepts: readonly string[];
  readonly sources: readonly Statement[];
};

/** Combines the statement most similar to the others and up to two that differ from it. */
export function insightByRules(concepts: readonly string[], about: readonly Statement[]): Drawn {
  const likeness = about.map(({ text }) =>
    about.reduce((sum, other) => sum + (other.text === text ? 0 : contentSimilarity(text, other.text)), 0),
  );
  const ranked = about
    .map((statement, at) => ({ statement, likeness: likeness[at] ?? 0 }))
    .sort(
      (a, b) =>
        b.likeness - a.likeness ||
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
    title: `Recurring: ${concepts.slice(0, conceptsInTitle).join(", ")}`,
    // Sorted, so that the same statements give the same text whichever ranks first now: else the insight
    // would be made again instead of being recognised.
    content: deduplicateLines(said.sort(compareTexts).join("\n")),
    confidence: confidenceByRules,
    provider: "extractive",
    concepts,
    sources: about,
  };
}
