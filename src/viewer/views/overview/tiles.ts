import { h } from "../../element.ts";
import { counted, shownNumber } from "../../format.ts";
import { linkTo } from "../../route.ts";

/** Length of the longest number that fits into a tile at full size. */
const mostLarge = "100,000".length;

export function tile(
  view: string,
  count: number,
  [one, many]: readonly [string, string],
  note?: string,
): HTMLElement {
  const number = shownNumber(count);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card tile", href: linkTo(view) },
      h("strong", { class: number.length > mostLarge ? "long" : undefined }, number),
      h("span", {}, count === 1 ? one : many),
      note !== undefined && h("small", {}, note),
    ),
  );
}

export function older({ total, latestCount }: { total: number; latestCount: number }): string | undefined {
  return total > latestCount ? `and ${counted(total - latestCount, "earlier version")}` : undefined;
}
