import type { Transaction } from "./store.ts";

/**
 * Collects items during a transaction and writes them all at its end: one statement for all is cheaper than one for
 * each. The items keep the order in which they were left.
 */
export function gatherer<Item>(
  write: (tx: Transaction, items: readonly Item[]) => Promise<void>,
): (tx: Transaction, item: Item) => void {
  const left = new WeakMap<Transaction, Item[]>();
  return (tx, item) => {
    const gathered = left.get(tx);
    if (gathered !== undefined) {
      gathered.push(item);
      return;
    }
    const items = [item];
    left.set(tx, items);
    tx.atEnd(() => {
      left.delete(tx);
      return write(tx, items);
    });
  };
}
