import type { ProceduralMemory } from "../../knowledge/procedures/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom, counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { line } from "../parts/line.ts";
import { meter } from "../parts/meter.ts";
import { projectListView } from "../parts/project-list.ts";
import { sourceList } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo } from "../route.ts";

export const procedures = projectListView({
  name: "procedures",
  label: "Procedures",
  path: "/procedural",
  wording: {
    unit: ["procedure", "procedures"],
    order: "last changed first",
    nothing: ["No procedure has recurred often enough yet.", "memsvc consolidate"],
  },
  rowsOf: ({ procedural }) => procedural.map(procedureRow),
});

function procedureRow(shown: ProceduralMemory): Child {
  const { name, steps, triggerCondition, expectedOutcome, strength, project, agentId, sourceSessionIds } =
    shown;
  return [
    h("h3", {}, name),
    triggerCondition !== "" &&
      h(
        "p",
        {},
        h("strong", {}, shown.provider === "extractive" ? "Mostly about: " : "When: "),
        triggerCondition,
      ),
    h(
      "ol",
      { class: "steps" },
      steps.map((step) => h("li", {}, step)),
    ),
    expectedOutcome !== undefined && h("p", {}, h("strong", {}, "Then: "), expectedOutcome),
    line(
      meter(strength, "strength"),
      `seen in ${counted(sourceSessionIds.length, "session")}`,
      project,
      agentId !== undefined && `agent ${agentId}`,
      byWhom(shown.provider),
      timeAgo(shown.updatedAt),
    ),
    tagChips([...new Set([...shown.concepts, ...shown.tags])], "Concepts"),
    sourceList(
      "session",
      shown.sourceSessionIds.map((id) => h("a", { href: linkTo("session", id) }, id)),
    ),
  ];
}
