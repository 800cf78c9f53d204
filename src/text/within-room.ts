/**
 * How many items of a list, from the first on, fit into `maxChars` by their JSON or another text. At least one, because
 * otherwise a reader could never get past it.
 */
export function countWithin<Item>(
  maxChars: number,
  items: readonly Item[],
  textOf: (item: Item, at: number) => string = (item) => JSON.stringify(item),
): number {
  let room = maxChars;
  const firstTooMuch = items.findIndex((item, at) => {
    room -= textOf(item, at).length + 1;
    return room < 0 && at > 0;
  });
  return firstTooMuch < 0 ? items.length : firstTooMuch;
}
