import { type Attributes, type Child, h } from "../element.ts";

/** A list with one element for each item. */
export function itemList<Item>(
  attributes: Attributes,
  items: readonly Item[],
  shown: (item: Item) => Child,
): HTMLElement {
  const listed = items.map((item) => h("li", {}, shown(item)));
  return h("ul", attributes, listed);
}
