import { type Child, h } from "../element.ts";

interface Shape {
  /** Whether little stands in each row. */
  readonly isTight?: boolean;
  /** Whether the order tells something. */
  readonly isOrdered?: boolean;
}

/** Records one below the other, each on a card of its own. */
export function rowList(
  rows: readonly Child[],
  { isTight = false, isOrdered = false }: Shape = {},
): HTMLElement {
  return h(
    isOrdered ? "ol" : "ul",
    { class: isTight ? "rows tight" : "rows" },
    rows.map((row) => h("li", { class: "card row" }, row)),
  );
}
