import type { Lesson } from "../../knowledge/lessons/record.ts";
import { type Child, h } from "../element.ts";
import { counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line, note } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { meter } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { timeAgo } from "../parts/time.ts";
import { textIn } from "../route.ts";
import type { View } from "../view.ts";

export const lessons: View = {
  name: "lessons",
  label: "Lessons",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/lessons", {
        project: textIn(route, "project"),
        source: textIn(route, "source"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Lessons",
      body: [
        filters(route, [
          { name: "source", label: "Source", values: anyOf(["manual", "consolidation", "crystal"]) },
          { name: "project", label: "Project", known: known.projects },
        ]),
        listOf(route, answer, answer.lessons.map(lessonRow), {
          unit: ["lesson", "lessons"],
          order: "surest first",
          nothing: emptyListNotice(
            "No lesson is kept here.",
            'memsvc lesson save "Run the migration twice in CI"',
          ),
        }),
      ],
    };
  },
};

function lessonRow(lesson: Lesson): Child {
  const { content, context, confidence, reinforcements, source, project, agentId, tags, updatedAt } = lesson;
  return [
    h("pre", { class: "content" }, content),
    context !== "" && note(context),
    line(
      meter(confidence, "confidence"),
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
