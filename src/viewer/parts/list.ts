import type { Paged } from "../../store/page.ts";
import { type Child, h } from "../element.ts";
import { counted, shownNumber } from "../format.ts";
import { linkWith, offsetIn, type Route } from "../route.ts";
import { emptyListNotice, noMatchNotice, pastEndNotice } from "./notices.ts";
import { rowList } from "./rows.ts";

export const pageRows = 50;

/** The paging that the route's query asks for. */
export function pageOf(route: Route): { readonly limit: number; readonly offset: number } {
  return { limit: pageRows, offset: offsetIn(route) };
}

interface Shown extends Paged {
  /** How many records of the page are not shown as rows, because another record covers them. */
  readonly leftOut?: number;
}

export interface Wording {
  /** The unit of the rows, singular and plural. */
  readonly unit: readonly [one: string, many: string];
  readonly order?: string;
  /** Whether the list already has a heading. */
  readonly isHeaded?: boolean;
  /** Shown if the list is empty: a sentence, and commands that would fill it. */
  readonly nothing: readonly [sentence: string, ...commands: string[]];
}

/** Rows of a list with their total and links to the previous and next page. */
export function listOf(
  route: Route,
  { total, offset, limit, leftOut = 0 }: Shown,
  rows: readonly Child[],
  { unit: [one, many], order, isHeaded = false, nothing }: Wording,
): Child {
  if (total === 0)
    return [...route.query.keys()].length > 0 ? noMatchNotice(route, many) : emptyListNotice(...nothing);
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

/** The number of results, as the heading of the rows; screen readers announce it when it changes. */
export function countHeading(...texts: readonly Child[]): HTMLElement {
  return h("h2", { class: "note count" }, texts);
}

function turn(route: Route, label: string, offset: number, isThere: boolean): Child {
  if (!isThere) return h("span", { class: "button", "aria-disabled": "true" }, label);
  return h("a", { class: "button", href: linkWith(route, { offset: offset || undefined }) }, label);
}
