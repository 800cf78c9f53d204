import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Texts that have little in common take time in proportion to both lengths. */
const longestMs = 3_000;

/**
 * What changes in a file, as a unified diff with three lines around each change; a text that is undefined stands for no
 * file. Undefined itself where the texts differ so much that finding out takes too long.
 */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const [from, to] = [before, after].map((text) => (text === undefined ? "/dev/null" : path));
  return createTwoFilesPatch(from ?? "", to ?? "", before ?? "", after ?? "", undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    timeout: longestMs,
  });
}
