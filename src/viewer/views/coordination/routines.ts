import type { Routine, RoutineStep } from "../../../coordination/routines/record.ts";
import type { RoutineRun } from "../../../coordination/routines/run-record.ts";
import type { Reader } from "../../api.ts";
import { type Child, h } from "../../element.ts";
import { counted } from "../../format.ts";
import { tagChips } from "../../parts/chips.ts";
import { filters } from "../../parts/filters.ts";
import { itemList } from "../../parts/item-list.ts";
import { line, note } from "../../parts/line.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { properties } from "../../parts/properties.ts";
import { timeAgo } from "../../parts/time.ts";
import { linkTo, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

export const routines: View = {
  name: "routines",
  label: "Routines",
  show: async (reader, route) => {
    const [answer, runs] = await Promise.all([
      reader.get("/routines", {
        tag: textIn(route, "tag"),
        frozen: route.query.get("frozen") === "true" ? "true" : undefined,
        ...pageOf(route),
      }),
      newestRuns(reader),
    ]);
    return {
      title: "Routines",
      body: [
        filters(route, [
          { name: "tag", label: "Tag" },
          {
            name: "frozen",
            label: "Frozen",
            values: [
              ["", "all"],
              ["true", "only frozen"],
            ],
          },
        ]),
        listOf(
          route,
          answer,
          answer.routines.map((one) => routineRow(one, runs)),
          {
            unit: ["routine", "routines"],
            order: "newest first",
            nothing: [
              "No routine has been saved yet. A routine is recurring work as a list of steps:",
              `memsvc routine save Release --steps '[{"title": "Test"}, {"title": "Publish", "dependsOn": [1]}]'`,
            ],
          },
        ),
      ],
    };
  },
};

type Run = Pick<RoutineRun, "id" | "routineId" | "startedAt">;

const entriesRead = 200;

/** The newest runs, from the audit log. */
async function newestRuns(reader: Reader): Promise<readonly Run[]> {
  const { entries } = await reader.get("/audit", { operation: "routine_run", limit: entriesRead });
  return entries.flatMap(({ timestamp, targetIds: [id, routineId] }) =>
    id === undefined || routineId === undefined ? [] : [{ id, routineId, startedAt: timestamp }],
  );
}

function routineRow(routine: Routine, runs: readonly Run[]): Child {
  const { id, name, description, steps, frozen, tags, updatedAt } = routine;
  const own = runs.filter(({ routineId }) => routineId === id);
  return [
    h("h3", {}, name),
    description !== "" && h("pre", { class: "content" }, description),
    line(
      frozen && h("span", { class: "chip" }, "frozen"),
      timeAgo(updatedAt),
      h("code", { class: "id" }, id),
    ),
    tagChips(tags, "Tags"),
    h(
      "details",
      {},
      h("summary", {}, counted(steps.length, "step")),
      h("ol", { class: "steps" }, steps.map(stepRow)),
    ),
    own.length > 0 &&
      line(
        "Runs",
        itemList({ class: "plain across", "aria-label": "Runs" }, own, (run) =>
          h("a", { href: linkTo("run", run.id) }, timeAgo(run.startedAt)),
        ),
      ),
  ];
}

function stepRow({ order, title, description, dependsOn, actionTemplate }: RoutineStep): HTMLElement {
  return h(
    "li",
    { value: order },
    title,
    dependsOn.length > 0 && h("span", { class: "note" }, ` after ${dependsOn.join(", ")}`),
    description !== "" && note(description),
    properties(actionTemplate),
  );
}
