import type { SemanticMemory } from "../../knowledge/facts/record.ts";
import { type Child, h } from "../element.ts";
import { filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { listOf, pageRows } from "../parts/list.ts";
import { nothingHere } from "../parts/notices.ts";
import { bar, recordLink, timeAgo } from "../parts/small.ts";
import { linkTo, numberIn, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { counted } from "../words.ts";

export const facts: View = {
  name: "facts",
  label: "Facts",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/semantic", {
        project: textIn(route, "project"),
        limit: pageRows,
        offset: numberIn(route, "offset"),
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
          nothing: nothingHere(
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
  const sources = shown.sourceSessionIds.length + shown.sourceMemoryIds.length;
  return [
    h("pre", { class: "content" }, fact),
    h(
      "div",
      { class: "line" },
      bar(strength, "strength"),
      h("span", {}, `confidence ${confidence.toFixed(2)}`),
      project !== undefined && h("span", {}, project),
      agentId !== undefined && h("span", {}, `agent ${agentId}`),
      h("span", {}, provider === "extractive" ? "by rules" : `by ${provider}`),
      timeAgo(updatedAt),
    ),
    sources > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `Drawn from ${counted(sources, "record")}`),
        h(
          "ul",
          { class: "plain" },
          shown.sourceMemoryIds.map((id) => h("li", {}, recordLink(id))),
          shown.sourceSessionIds.map((id) =>
            h("li", {}, h("a", { href: linkTo("session", id) }, `session ${id}`)),
          ),
        ),
      ),
  ];
}
