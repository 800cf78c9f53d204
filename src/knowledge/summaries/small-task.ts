import { indexTokens } from "../../text/tokens.ts";
import type { Extract } from "./extractive.ts";
import { commitsAndCommands, narrativeParts } from "./narrative-parts.ts";

/** With more terms, the end of a session explains something. `Renamed in 3 places.` has two. */
const mostTermsOfEnd = 5;
const mostFiles = 1;

/**
 * Whether a summary by rules tells of a task as small as a renamed variable: at most one file, no commit, no error,
 * and an end of a few words. What the user decided there is shown among the rules of the project.
 */
export function isSmallTask(summary: Pick<Extract, "narrative" | "filesModified">): boolean {
  const parts = narrativeParts(summary.narrative);
  if (parts.size === 0 || parts.has("errors")) return false;
  const ended = parts.get("ended") ?? "";
  return (
    summary.filesModified.length <= mostFiles &&
    commitsAndCommands(parts.get("ran")).commits.length === 0 &&
    indexTokens(ended).length <= mostTermsOfEnd
  );
}
