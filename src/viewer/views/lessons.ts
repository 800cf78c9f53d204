import type { Lesson } from "../../knowledge/lessons/record.ts";
import { type Child, h } from "../element.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { listOf, pageRows } from "../parts/list.ts";
import { nothingHere } from "../parts/notices.ts";
import { bar, tagChips, timeAgo } from "../parts/small.ts";
import { numberIn, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { counted } from "../words.ts";

export const lessons: View = {
  name: "lessons",
  label: "Lessons",
  show: async (reader, route) => {
    const answer = await reader.get("/lessons", {
      project: textIn(route, "project"),
      source: textIn(route, "source"),
      limit: pageRows,
      offset: numberIn(route, "offset"),
    });
    return {
      title: "Lessons",
      body: [
        filters(route, [
          { name: "source", label: "Source", values: anyOf(["manual", "consolidation", "crystal"]) },
          { name: "project", label: "Project" },
        ]),
        answer.total === 0
          ? nothingHere("No lesson is kept here.", 'memsvc lesson save "Run the migration twice in CI"')
          : [
              h("p", { class: "note" }, `${counted(answer.total, "lesson")}, surest first`),
              listOf(route, answer, answer.lessons.map(lessonRow)),
            ],
      ],
    };
  },
};

function lessonRow(lesson: Lesson): Child {
  const { content, context, confidence, reinforcements, source, project, agentId, tags, updatedAt } = lesson;
  return [
    h("pre", { class: "content" }, content),
    context !== "" && h("p", { class: "note" }, context),
    h(
      "div",
      { class: "line" },
      bar(confidence, "confidence"),
      h(
        "span",
        {},
        reinforcements === 0 ? "not confirmed yet" : `confirmed ${counted(reinforcements, "time")}`,
      ),
      h("span", {}, source),
      h("span", {}, project ?? "every project"),
      agentId !== undefined && h("span", {}, `agent ${agentId}`),
      timeAgo(updatedAt),
    ),
    tagChips(tags, "Tags"),
  ];
}
