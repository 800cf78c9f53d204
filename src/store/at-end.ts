import type { Transaction } from "./store.ts";

/**
 * Lets works leave items for the end of their transaction, where they are written together: one statement for all of
 * them costs less than one for each. The items are written in the order in which they were left.
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
