import { indexTokens } from "../../text/tokens.ts";
import type { Extract } from "./extractive.ts";
import { commitsAndCommands, narrativeParts } from "./narrative-parts.ts";

/** With more terms, an answer explains something. `Renamed in 3 places.` has two. */
const mostTerms = 5;
const mostFiles = 1;

/**
 * Whether a session whose summary was made by rules had a task as small as a renamed variable: at most one file, no
 * commit, no error, and a last answer of a few words. What the user decided there is shown among the rules of the
 * project.
 */
export function isSmallTask(
  { narrative, filesModified }: Pick<Extract, "narrative" | "filesModified">,
  lastAnswer: string,
): boolean {
  const parts = narrativeParts(narrative);
  return (
    parts.size > 0 &&
    !parts.has("errors") &&
    filesModified.length <= mostFiles &&
    commitsAndCommands(parts.get("ran")).commits.length === 0 &&
    indexTokens(lastAnswer).length <= mostTerms
  );
}
