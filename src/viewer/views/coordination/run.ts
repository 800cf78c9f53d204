import type { RunReport } from "../../answers.ts";
import { type Child, h } from "../../element.ts";
import { counted } from "../../format.ts";
import { actionRow } from "../../parts/actions.ts";
import { statusChip } from "../../parts/chips.ts";
import { line } from "../../parts/line.ts";
import { bar } from "../../parts/meter.ts";
import { projectLink } from "../../parts/record-links.ts";
import { rowList } from "../../parts/rows.ts";
import { detailList, section } from "../../parts/section.ts";
import { timeOf } from "../../parts/time.ts";
import { linkTo } from "../../route.ts";
import type { View } from "../../view.ts";

/** How many routines are read to find the name of the run's routine. */
const routinesRead = 200;

export const run: View = {
  name: "run",
  under: "routines",
  show: async (reader, { id }) => {
    const [{ run: shown, actions, progress }, { routines }] = await Promise.all([
      reader.get("/routines/status", { runId: id }),
      reader.get("/routines", { limit: routinesRead }),
    ]);
    const routine = routines.find(({ id: one }) => one === shown.routineId);
    return {
      title: `Run of ${routine?.name ?? "a routine"}`,
      body: [
        line(statusChip(shown.status), done(progress), h("code", { class: "id" }, shown.id)),
        detailList([
          [
            "Routine",
            [
              h("a", { href: linkTo("routines") }, routine?.name ?? "one of the routines"),
              " ",
              h("code", { class: "id" }, shown.routineId),
            ],
          ],
          ["Project", projectLink(shown.project)],
          ["Begun", [timeOf(shown.startedAt), shown.initiatedBy !== undefined && ` by ${shown.initiatedBy}`]],
          ["Over", shown.completedAt !== undefined && timeOf(shown.completedAt)],
        ]),
        section(
          "Steps",
          rowList(
            actions.map((action) => actionRow(action)),
            { isOrdered: true },
          ),
        ),
      ],
    };
  },
};

function done({ total, ...counts }: RunReport["progress"]): Child {
  const others = (["active", "pending", "blocked", "cancelled"] as const).filter(
    (status) => counts[status] > 0,
  );
  return [
    bar(
      { max: Math.max(1, total), value: counts.done, "aria-label": "done" },
      `${counts.done} of ${counted(total, "action")} done`,
    ),
    others.map((status) => `${counts[status]} ${status}`),
  ];
}
