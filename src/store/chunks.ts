/** Splits a list into chunks: one statement over all of a long list would keep everybody else waiting. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
