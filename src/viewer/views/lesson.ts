import { ReadError } from "../api.ts";
import { h } from "../element.ts";
import { tagChips } from "../parts/chips.ts";
import { itemList } from "../parts/item-list.ts";
import { line, note } from "../parts/line.ts";
import { projectLink, recordLink } from "../parts/record-links.ts";
import { detailList } from "../parts/section.ts";
import { timeOf } from "../parts/time.ts";
import type { View } from "../view.ts";
import { lessonStanding } from "./lessons.ts";

export const lesson: View = {
  name: "lesson",
  under: "lessons",
  show: async (reader, { id }) => {
    const { results } = await reader.post("/smart-search", { expandIds: [id] });
    const shown = results[0]?.lesson;
    if (shown === undefined) throw new ReadError("not_found", `lesson ${id} is not known`);
    return {
      title: "Lesson",
      body: [
        h("pre", { class: "content" }, shown.content),
        shown.context !== "" && note(shown.context),
        line(lessonStanding(shown), h("code", { class: "id" }, shown.id)),
        tagChips(shown.tags, "Tags"),
        detailList([
          ["Project", projectLink(shown.project) || "every project"],
          ["Agent", shown.agentId],
          ["Stored", timeOf(shown.createdAt)],
          ["Changed", timeOf(shown.updatedAt)],
          [
            "Came from",
            shown.sourceIds.length > 0 &&
              itemList({ class: "plain across" }, shown.sourceIds, (source) => recordLink(source)),
          ],
        ]),
      ],
    };
  },
};
