import { type Child, h } from "../element.ts";

interface Shape {
  /** Whether the rows have little content, so that they are set tightly. */
  readonly isTight?: boolean;
  /** Whether the order has a meaning. */
  readonly isOrdered?: boolean;
}

/** Records as cards, one below the other. */
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
