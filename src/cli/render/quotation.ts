import type { Terminal } from "../terminal/terminal.ts";

/** How the text of a hit is shown. */
export interface Quotation {
  /** The text, or of one that is longer than so many columns the part that matches. */
  partOf(text: { readonly title: string; readonly body: string }, columns: number): string;
  /** A line of it with the words that match brought out. */
  emphasised(line: string): string;
}

/** Texts as they are. */
export const plainly: Quotation = { partOf: ({ body }) => body, emphasised: (line) => line };

/** Of what a query found; where nobody looks, it is not loaded what words are. */
export async function quotation(query: unknown, terminal: Terminal): Promise<Quotation> {
  if (typeof query !== "string" || !terminal.isForPeople) return plainly;
  return (await import("../search/quoted-words.ts")).quotationFor(query, terminal);
}
