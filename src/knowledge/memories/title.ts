import { firstLine } from "../../text/first-line.ts";

/** Longest title that is taken from a content, in code points. */
const longest = 80;

/** The title of a memory that is given none: what its text begins with. */
export function titleFrom(content: string): string {
  return firstLine(content, longest);
}

/** The title of a new version that is given none: one that was given stays, one that was taken from the old text would now be wrong. */
export function titleOfNext(
  older: { readonly title: string; readonly content: string },
  content: string,
): string {
  return older.title === titleFrom(older.content) ? titleFrom(content) : older.title;
}
