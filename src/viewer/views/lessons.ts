import type { Lesson } from "../../knowledge/lessons/record.ts";
import { type Child, h } from "../element.ts";
import { counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { line, note } from "../parts/line.ts";
import { meter } from "../parts/meter.ts";
import { projectListView } from "../parts/project-list.ts";
import { recordLink } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";

export const lessons = projectListView({
  name: "lessons",
  label: "Lessons",
  path: "/lessons",
  choices: [{ name: "source", label: "Source", values: ["manual", "consolidation", "crystal"] }],
  wording: {
    unit: ["lesson", "lessons"],
    order: "surest first",
    nothing: ["No lesson is kept here.", 'memsvc lesson save "Run the migration twice in CI"'],
  },
  rowsOf: ({ lessons }) => lessons.map(lessonRow),
});

function lessonRow(lesson: Lesson): Child {
  const { id, content, context, project, agentId, tags, updatedAt } = lesson;
  return [
    h("pre", { class: "content" }, content),
    context !== "" && note(context),
    line(
      lessonStanding(lesson),
      project ?? "every project",
      agentId !== undefined && `agent ${agentId}`,
      timeAgo(updatedAt),
      recordLink(id, "lesson"),
    ),
    tagChips(tags, "Tags"),
  ];
}

/** How sure a lesson is, and why. */
export function lessonStanding({ confidence, reinforcements, source }: Lesson): Child {
  return [
    meter(confidence, "confidence"),
    reinforcements === 0 ? "not confirmed yet" : `confirmed ${counted(reinforcements, "time")}`,
    source,
  ];
}
