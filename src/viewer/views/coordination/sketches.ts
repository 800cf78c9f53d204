import type { Sketch } from "../../../coordination/sketches/record.ts";
import { type Child, h } from "../../element.ts";
import { counted } from "../../format.ts";
import { statusChip } from "../../parts/chips.ts";
import { line } from "../../parts/line.ts";
import { projectListView } from "../../parts/project-list.ts";
import { timed } from "../../parts/time.ts";
import { linkTo } from "../../route.ts";

const statuses = ["active", "promoted", "discarded"] satisfies Sketch["status"][];

export const sketches = projectListView({
  name: "sketches",
  label: "Sketches",
  path: "/sketches",
  choices: [{ name: "status", label: "Status", values: statuses }],
  wording: {
    unit: ["sketch", "sketches"],
    order: "newest first",
    nothing: [
      "There are no sketches. A sketch is a plan that is discarded unless it is promoted:",
      'memsvc sketch create "Split the queue in two"',
    ],
  },
  rowsOf: ({ sketches }) => sketches.map(sketchRow),
});

function sketchRow(sketch: Sketch & { readonly actionCount: number }): Child {
  const { id, title, description, status, actionCount, project, expiresAt, promotedAt, discardedAt } = sketch;
  const many = counted(actionCount, "action");
  return [
    h("h3", {}, title),
    description !== "" && h("pre", { class: "content" }, description),
    line(
      statusChip(status),
      status === "active" && actionCount > 0
        ? h("a", { href: linkTo("actions", "", { sketch: id }) }, many)
        : many,
      project,
      status === "active" && timed("discarded", expiresAt),
      timed("promoted", promotedAt),
      timed("discarded", discardedAt),
      timed("made", sketch.createdAt),
      h("code", { class: "id" }, id),
    ),
  ];
}
