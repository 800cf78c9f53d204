import { type Child, h } from "../element.ts";
import { linkWith, type Route } from "../route.ts";
import { shownNumber } from "../words.ts";

export const pageRows = 50;

interface Shown {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** Rows of a list, where they stand in the whole, and the ways to the pages before and after. */
export function listOf(route: Route, { total, offset, limit }: Shown, rows: readonly Child[]): Child {
  const last = offset + rows.length;
  const place =
    total > rows.length
      ? `${shownNumber(Math.min(offset + 1, last))}–${shownNumber(last)} of ${shownNumber(total)}`
      : "";
  const pager =
    total > rows.length &&
    h(
      "nav",
      { class: "pager", "aria-label": "Pages" },
      turn(route, "Newer or better", "‹ Previous", Math.max(0, offset - limit), offset > 0),
      h("span", {}, place),
      turn(route, "Older or lesser", "Next ›", offset + limit, last < total),
    );
  return [
    h(
      "ul",
      { class: "rows" },
      rows.map((row) => h("li", { class: "card row" }, row)),
    ),
    pager,
  ];
}

function turn(route: Route, title: string, label: string, offset: number, isThere: boolean): Child {
  if (!isThere) return h("span", { class: "button", "aria-disabled": "true" }, label);
  return h("a", { class: "button", href: linkWith(route, { offset: offset || undefined }), title }, label);
}
