import type { Answers, Replies } from "../../answers.ts";
import type { Reader } from "../../api.ts";
import { type Child, h } from "../../element.ts";
import { shownNumber } from "../../format.ts";
import { newestActionTitles } from "../../parts/actions.ts";
import { kindChip } from "../../parts/chips.ts";
import { itemList } from "../../parts/item-list.ts";
import { line, note } from "../../parts/line.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { emptyListNotice } from "../../parts/notices.ts";
import { recordLink } from "../../parts/record-links.ts";
import { recordTitles } from "../../parts/record-titles.ts";
import { detailList, section } from "../../parts/section.ts";
import { linkTo, type Route, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

/** The labels in use, and the records that bear one of them. */
export const facets: View = {
  name: "facets",
  label: "Facets",
  show: async (reader, route) => {
    const label = textIn(route, "label");
    const [stats, bearers] = await Promise.all([
      reader.get("/facets/stats"),
      label === undefined ? undefined : labelled(reader, route, label),
    ]);
    return {
      title: "Facets",
      body:
        stats.totalFacets === 0
          ? emptyListNotice("No record bears a label yet.", "memsvc facet tag act_01… team payments")
          : [
              label === undefined && note("Choose a label to see the records that bear it."),
              detailList(stats.dimensions.map(dimensionRow)),
              bearers,
            ],
    };
  },
};

function dimensionRow({
  dimension,
  values,
}: Answers["/facets/stats"]["dimensions"][number]): [string, Child] {
  const list = itemList({ class: "plain across" }, values, ({ value, count }) =>
    h(
      "a",
      { href: linkTo("facets", "", { label: `${dimension}:${value}` }) },
      `${value} (${shownNumber(count)})`,
    ),
  );
  return [dimension, list];
}

async function labelled(reader: Reader, route: Route, label: string): Promise<Child> {
  const found = await reader.post("/facets/query", { matchAll: [label], ...pageOf(route) });
  const others = found.results.flatMap(({ targetId, targetType }) =>
    targetType === "action" ? [] : [targetId],
  );
  const [actions, records] = await Promise.all([newestActionTitles(reader), recordTitles(reader, others)]);
  const titleOf = (id: string) => actions.get(id) ?? records.get(id);
  return section(
    `With ${label}`,
    listOf(
      route,
      found,
      found.results.map((bearer) => bearerRow(bearer, titleOf(bearer.targetId))),
      {
        unit: ["record", "records"],
        order: "last labelled first",
        isHeaded: true,
        nothing: ["There is none."],
      },
    ),
  );
}

function bearerRow(
  { targetId, targetType }: Replies["/facets/query"]["results"][number],
  title?: string,
): Child {
  return line(kindChip(targetType), recordLink(targetId, targetType, title));
}
