/** Never empty. */
type Group<Item> = [Item, ...Item[]];

/** The items by their key, in their order: `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Group<Item>> {
  return groupPairs(items.map((item) => [keyOf(item), item]));
}

/** The values of each key, in their order. */
export function groupPairs<Key, Value>(pairs: Iterable<readonly [Key, Value]>): Map<Key, Group<Value>> {
  const groups = new Map<Key, Group<Value>>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
