import type { Sketch } from "../../../coordination/sketches/record.ts";
import { type Child, h } from "../../element.ts";
import { counted } from "../../format.ts";
import { statusChip } from "../../parts/chips.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { knownNames } from "../../parts/known.ts";
import { line } from "../../parts/line.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { emptyListNotice } from "../../parts/notices.ts";
import { timeAgo } from "../../parts/time.ts";
import { linkTo, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

const statuses = ["active", "promoted", "discarded"] satisfies Sketch["status"][];

export const sketches: View = {
  name: "sketches",
  label: "Sketches",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/sketches", {
        status: textIn(route, "status"),
        project: textIn(route, "project"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Sketches",
      body: [
        filters(route, [
          { name: "status", label: "Status", values: anyOf(statuses) },
          { name: "project", label: "Project", known: known.projects },
        ]),
        listOf(route, answer, answer.sketches.map(sketchRow), {
          unit: ["sketch", "sketches"],
          order: "newest first",
          nothing: emptyListNotice(
            "There is no sketch. One is a plan that is thrown away unless it is promoted:",
            'memsvc sketch create "Split the queue in two"',
          ),
        }),
      ],
    };
  },
};

function sketchRow(sketch: Sketch & { readonly actionCount: number }): Child {
  const { id, title, description, status, actionCount, project, expiresAt, promotedAt, discardedAt } = sketch;
  const many = counted(actionCount, "action");
  return [
    h("h3", {}, title),
    description !== "" && h("p", { class: "excerpt" }, description),
    line(
      statusChip(status),
      status === "active" && actionCount > 0
        ? h("a", { href: linkTo("actions", "", { sketch: id }) }, many)
        : h("span", {}, many),
      project !== undefined && h("span", {}, project),
      status === "active" && h("span", {}, "discarded ", timeAgo(expiresAt)),
      promotedAt !== undefined && h("span", {}, "promoted ", timeAgo(promotedAt)),
      discardedAt !== undefined && h("span", {}, "discarded ", timeAgo(discardedAt)),
      h("span", {}, "made ", timeAgo(sketch.createdAt)),
      h("code", { class: "id" }, id),
    ),
  ];
}
