import type { Paged } from "../../store/page.ts";
import { type Child, h } from "../element.ts";
import { counted, shownNumber } from "../format.ts";
import { linkWith, offsetIn, type Route } from "../route.ts";
import { noMatchNotice, pastEndNotice } from "./notices.ts";
import { rowList } from "./rows.ts";

export const pageRows = 50;

/** The page of a list that the query asks for. */
export function pageOf(route: Route): { readonly limit: number; readonly offset: number } {
  return { limit: pageRows, offset: offsetIn(route) };
}

interface Shown extends Paged {
  /** How many of the page have no row, because another tells what they do. */
  readonly leftOut?: number;
}

export interface Wording {
  /** What one row is called, and more than one. */
  readonly unit: readonly [one: string, many: string];
  readonly order?: string;
  /** Whether the list stands under a heading of its own already. */
  readonly isHeaded?: boolean;
  /** In place of the rows, where there are none at all. */
  readonly nothing: Child;
}

/** Rows of a list, how many there are in the whole, and the ways to the pages before and after. */
export function listOf(
  route: Route,
  { total, offset, limit, leftOut = 0 }: Shown,
  rows: readonly Child[],
  { unit: [one, many], order, isHeaded = false, nothing }: Wording,
): Child {
  if (total === 0) return [...route.query.keys()].length > 0 ? noMatchNotice(route, many) : nothing;
  if (rows.length === 0) return pastEndNotice(route, counted(total, one, many));
  const last = offset + rows.length + leftOut;
  const count = [
    counted(total, one, many),
    order !== undefined && `, ${order}`,
    leftOut > 0 && `, ${shownNumber(leftOut)} of them shown with another`,
  ];
  return [
    isHeaded ? h("p", { class: "note count" }, count) : countHeading(count),
    rowList(rows),
    total > rows.length + leftOut &&
      h(
        "nav",
        { class: "pager", "aria-label": "Pages" },
        turn(route, "‹ Previous", Math.max(0, offset - limit), offset > 0),
        h("span", {}, `${shownNumber(offset + 1)}–${shownNumber(last)} of ${shownNumber(total)}`),
        turn(route, "Next ›", offset + limit, last < total),
      ),
  ];
}

/** How much was found: the heading of the rows, which is said too whenever it comes. */
export function countHeading(...texts: readonly Child[]): HTMLElement {
  return h("h2", { class: "note count" }, texts);
}

function turn(route: Route, label: string, offset: number, isThere: boolean): Child {
  if (!isThere) return h("span", { class: "button", "aria-disabled": "true" }, label);
  return h("a", { class: "button", href: linkWith(route, { offset: offset || undefined }) }, label);
}
