import type { Reader } from "../api.ts";
import { type Child, h } from "../element.ts";
import { linkTo } from "../route.ts";
import { itemList } from "./item-list.ts";

/** The labels of a record, each as a link to all records that bear it. */
export async function labelsOf(reader: Reader, targetId: string): Promise<Child> {
  const { dimensions } = await reader.get("/facets", { targetId });
  if (dimensions.length === 0) return undefined;
  const labels = dimensions.flatMap(({ dimension, values }) =>
    values.map((value) => `${dimension}:${value}`),
  );
  return itemList({ class: "plain across" }, labels, (label) =>
    h("a", { href: linkTo("facets", "", { label }) }, label),
  );
}
