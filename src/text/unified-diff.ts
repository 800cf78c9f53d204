import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Limit for texts with little in common, for which a diff takes time proportional to the product of their lengths. */
const longestMs = 3_000;

/**
 * The change of a file as a unified diff with three lines of context; undefined text means no file. Returns undefined
 * if the texts differ so much that computing the diff takes too long.
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
