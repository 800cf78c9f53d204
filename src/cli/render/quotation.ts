import type { Terminal } from "../terminal/terminal.ts";

/** How the text of a hit is shown. */
export interface Quotation {
  /** The text, or the matching part if it is wider than `columns`. */
  partOf(text: { readonly title: string; readonly body: string }, columns: number): string;
  /** The line with the matching words emphasised. */
  emphasised(line: string): string;
}

/** Shows texts unchanged. */
export const plainly: Quotation = { partOf: ({ body }) => body, emphasised: (line) => line };

/** How to quote the hits of a query. If no person reads the output, the code that finds words is not loaded. */
export async function quotation(query: unknown, terminal: Terminal): Promise<Quotation> {
  if (typeof query !== "string" || !terminal.isForPeople) return plainly;
  return (await import("../search/quoted-words.ts")).quotationFor(query, terminal);
}
