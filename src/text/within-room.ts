/**
 * How many of the first items of a list there is room for, by their JSON or another text. The first always counts: or
 * else nobody would get past it.
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
