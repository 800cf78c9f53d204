import type { SemanticMemory } from "../../knowledge/facts/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom } from "../format.ts";
import { filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { meter } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { drawnFrom, recordLink } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, textIn } from "../route.ts";
import type { View } from "../view.ts";

export const facts: View = {
  name: "facts",
  label: "Facts",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/semantic", {
        project: textIn(route, "project"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Facts",
      body: [
        filters(route, [{ name: "project", label: "Project", known: known.projects }]),
        listOf(route, answer, answer.semantic.map(factRow), {
          unit: ["fact", "facts"],
          order: "last changed first",
          nothing: emptyListNotice(
            "No fact has been distilled from sessions and memories yet.",
            "memsvc consolidate",
          ),
        }),
      ],
    };
  },
};

function factRow(shown: SemanticMemory): Child {
  const { fact, strength, confidence, project, agentId, provider, updatedAt } = shown;
  return [
    h("pre", { class: "content" }, fact),
    line(
      meter(strength, "strength"),
      h("span", {}, `confidence ${confidence.toFixed(2)}`),
      project !== undefined && h("span", {}, project),
      agentId !== undefined && h("span", {}, `agent ${agentId}`),
      h("span", {}, byWhom(provider)),
      timeAgo(updatedAt),
    ),
    drawnFrom("record", [
      ...shown.sourceMemoryIds.map((id) => recordLink(id)),
      ...shown.sourceSessionIds.map((id) => h("a", { href: linkTo("session", id) }, `session ${id}`)),
    ]),
  ];
}
