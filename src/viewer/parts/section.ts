import { type Child, h } from "../element.ts";

/** A part of a page with a heading. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", { "aria-label": title }, h("h2", {}, title), children);
}

/** Names and values; absent values are left out. */
export function detailList(rows: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return h(
    "dl",
    { class: "facts" },
    shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}
