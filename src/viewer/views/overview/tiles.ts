import { h } from "../../element.ts";
import { linkTo } from "../../route.ts";
import { counted, shownNumber } from "../../words.ts";

export function tile(
  view: string,
  count: number,
  [one, many]: readonly [string, string],
  note?: string,
): HTMLElement {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card tile", href: linkTo(view) },
      h("strong", {}, shownNumber(count)),
      h("span", {}, count === 1 ? one : many),
      note !== undefined && h("small", {}, note),
    ),
  );
}

export function older({ total, latestCount }: { total: number; latestCount: number }): string | undefined {
  return total > latestCount ? `and ${counted(total - latestCount, "earlier version")}` : undefined;
}
