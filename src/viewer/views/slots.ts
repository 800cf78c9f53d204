import type { MemorySlot } from "../../knowledge/slots/record.ts";
import { type Child, h } from "../element.ts";
import { counted, shownNumber } from "../format.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line, note } from "../parts/line.ts";
import { countHeading } from "../parts/list.ts";
import { bar } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { rowList } from "../parts/rows.ts";
import { timeAgo } from "../parts/time.ts";
import { textIn } from "../route.ts";
import type { View } from "../view.ts";

export const slots: View = {
  name: "slots",
  label: "Slots",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/slots", {
        project: textIn(route, "project"),
        scope: textIn(route, "scope"),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Slots",
      body: [
        filters(route, [
          { name: "scope", label: "Scope", values: anyOf(["project", "global"]) },
          { name: "project", label: "Project", placeholder: "default", known: known.projects },
        ]),
        answer.total === 0
          ? emptyListNotice("There is no slot yet.", 'memsvc slot create decisions "Money is kept in cents"')
          : [
              countHeading(
                counted(answer.total, "slot"),
                textIn(route, "project") === undefined && ", those of all projects and of the default one",
                "; pinned ones stand in every context block",
              ),
              rowList(answer.slots.map(slotRow)),
            ],
      ],
    };
  },
};

function slotRow({
  label,
  content,
  description,
  pinned,
  readOnly,
  scope,
  sizeLimit,
  ...slot
}: MemorySlot): Child {
  const size = [...content].length;
  return [
    h("h3", {}, label),
    description !== "" && note(description),
    content === "" ? note("Empty.") : h("pre", { class: "content" }, content),
    line(
      pinned && h("span", { class: "chip" }, "pinned"),
      readOnly && h("span", { class: "chip" }, "read only"),
      scope === "global" ? "all projects" : (slot.project ?? "the default project"),
      slot.agentId !== undefined && `agent ${slot.agentId}`,
      bar(
        { max: sizeLimit, value: size, "aria-label": "room taken" },
        `${shownNumber(size)} of ${shownNumber(sizeLimit)} characters`,
      ),
      Date.parse(slot.updatedAt) > 0 && timeAgo(slot.updatedAt),
    ),
  ];
}
