import { type Child, h } from "../element.ts";

/** A table; the first cell of a row is its header. A table wider than the screen scrolls horizontally. */
export function dataTable(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly [name: Child, ...values: Child[]])[],
): HTMLElement {
  return h(
    "div",
    { class: "scrolls", tabindex: 0, role: "group", "aria-label": label },
    h(
      "table",
      { "aria-label": label },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => h("th", { scope: "col" }, column)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(([name, ...values]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            values.map((value) => h("td", {}, value)),
          ),
        ),
      ),
    ),
  );
}
