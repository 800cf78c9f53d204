import { indexTokens } from "../../../text/tokens.ts";

/** With more new terms, a text tells enough. */
const enoughTerms = 40;
/** A session this many places further back counts half as much. */
const halfLife = 30;

/**
 * Chooses items, which come newest first, and keeps their order: the newest ones, and of the others those whose texts
 * have the most terms that the chosen ones lack. So many small tasks, which tell the same in few words, make room for
 * older ones that tell something. Each item is given with its text.
 */
export function mostTelling<Item>(
  items: readonly (readonly [Item, string])[],
  { most, newest }: { readonly most: number; readonly newest: number },
): Item[] {
  if (items.length <= most) return items.map(([item]) => item);
  const terms = items.map(([, text]) => [...new Set(indexTokens(text))]);
  const chosen = new Set(items.slice(0, newest).keys());
  const told = new Set([...chosen].flatMap((at) => terms[at] ?? []));
  const worthOf = (own: readonly string[], at: number): number =>
    Math.min(enoughTerms, own.filter((term) => !told.has(term)).length) * 2 ** (-at / halfLife);
  while (chosen.size < most) {
    const worths = terms.map((own, at) => (chosen.has(at) ? -1 : worthOf(own, at)));
    const best = worths.indexOf(Math.max(...worths));
    chosen.add(best);
    for (const term of terms[best] ?? []) told.add(term);
  }
  return items.flatMap(([item], at) => (chosen.has(at) ? [item] : []));
}
