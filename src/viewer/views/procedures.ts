import type { ProceduralMemory } from "../../knowledge/procedures/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom, counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { meter } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { drawnFrom } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, textIn } from "../route.ts";
import type { View } from "../view.ts";

export const procedures: View = {
  name: "procedures",
  label: "Procedures",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/procedural", {
        project: textIn(route, "project"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Procedures",
      body: [
        filters(route, [{ name: "project", label: "Project", known: known.projects }]),
        listOf(route, answer, answer.procedural.map(procedureRow), {
          unit: ["procedure", "procedures"],
          order: "last changed first",
          nothing: emptyListNotice("No way of working has been seen often enough yet.", "memsvc consolidate"),
        }),
      ],
    };
  },
};

function procedureRow(shown: ProceduralMemory): Child {
  const { name, steps, triggerCondition, expectedOutcome, frequency, strength, project, agentId } = shown;
  return [
    h("h3", {}, name),
    triggerCondition !== "" && h("p", {}, h("strong", {}, "When: "), triggerCondition),
    h(
      "ol",
      { class: "steps" },
      steps.map((step) => h("li", {}, step)),
    ),
    expectedOutcome !== undefined && h("p", {}, h("strong", {}, "Then: "), expectedOutcome),
    line(
      meter(strength, "strength"),
      h("span", {}, `seen ${counted(frequency, "time")}`),
      project !== undefined && h("span", {}, project),
      agentId !== undefined && h("span", {}, `agent ${agentId}`),
      h("span", {}, byWhom(shown.provider)),
      timeAgo(shown.updatedAt),
    ),
    tagChips([...new Set([...shown.concepts, ...shown.tags])], "Concepts"),
    drawnFrom(
      "session",
      shown.sourceSessionIds.map((id) => h("a", { href: linkTo("session", id) }, id)),
    ),
  ];
}
