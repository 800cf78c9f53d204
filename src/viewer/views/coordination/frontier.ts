import type { Frontier } from "../../../coordination/actions/frontier/answers.ts";
import { type Child, h } from "../../element.ts";
import { counted, shownNumber } from "../../format.ts";
import { actionRow } from "../../parts/actions.ts";
import { filters } from "../../parts/filters.ts";
import { knownNames } from "../../parts/known.ts";
import { countHeading, pageRows } from "../../parts/list.ts";
import { emptyListNotice, noMatchNotice } from "../../parts/notices.ts";
import { rowList } from "../../parts/rows.ts";
import { linkTo, type Route, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

export const frontier: View = {
  name: "frontier",
  label: "Frontier",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/frontier", {
        project: textIn(route, "project"),
        agentId: textIn(route, "agent"),
        limit: pageRows,
      }),
      knownNames(reader),
    ]);
    return {
      title: "Frontier",
      body: [
        filters(route, [
          { name: "project", label: "Project", known: known.projects },
          { name: "agent", label: "For agent", known: known.agents },
        ]),
        whatCanBeDone(route, answer),
      ],
    };
  },
};

function whatCanBeDone(route: Route, { frontier: best, totalActions, totalUnblocked }: Frontier): Child {
  if (totalActions === 0) {
    return [...route.query.keys()].length > 0
      ? noMatchNotice(route, "open actions")
      : emptyListNotice("There is nothing to do.", 'memsvc action create "Release it" --priority 7');
  }
  if (totalUnblocked === 0) {
    return h(
      "div",
      { class: "empty" },
      h(
        "p",
        {},
        `None of ${counted(totalActions, "open action")} can be started now: they wait for others, or are held.`,
      ),
      h(
        "p",
        {},
        h("a", { href: linkTo("actions", "", { status: "blocked" }) }, "See what is blocked"),
        ", or ",
        h("a", { href: linkTo("leases") }, "who holds what"),
      ),
    );
  }
  const cut = totalUnblocked > best.length ? `; the best ${best.length}` : "";
  return [
    countHeading(
      `${shownNumber(totalUnblocked)} of ${counted(totalActions, "open action")} can be worked on now, best first${cut}`,
    ),
    rowList(
      best.map(({ action, score, leased }) =>
        actionRow(
          action,
          leased && h("span", { class: "chip" }, "held already"),
          h("span", { title: "from priority, age and what it unblocks" }, `score ${score.toFixed(1)}`),
        ),
      ),
      { isOrdered: true },
    ),
  ];
}
