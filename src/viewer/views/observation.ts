import type { Observation } from "../../capture/observations/record.ts";
import type { Replies } from "../answers.ts";
import { ReadError, type Reader } from "../api.ts";
import { type Child, h } from "../element.ts";
import { plain } from "../format.ts";
import { kindChip } from "../parts/chips.ts";
import { itemList } from "../parts/item-list.ts";
import { labelsOf } from "../parts/labels.ts";
import { line, note } from "../parts/line.ts";
import { recordLink } from "../parts/record-links.ts";
import { recordTitles } from "../parts/record-titles.ts";
import { rowList } from "../parts/rows.ts";
import { detailList, section } from "../parts/section.ts";
import { timeOf } from "../parts/time.ts";
import { importance, observationText } from "../parts/timeline.ts";
import { linkTo } from "../route.ts";
import type { View } from "../view.ts";

export const observation: View = {
  name: "observation",
  under: "sessions",
  show: async (reader, { id }) => {
    const [{ results }, origin, labels] = await Promise.all([
      reader.post("/smart-search", { expandIds: [id] }),
      reader.post("/verify", { id }),
      labelsOf(reader, id),
    ]);
    const [found] = results;
    if (found?.observation === undefined) throw new ReadError("not_found", `observation ${id} is not known`);
    const { observation: shown, neighbors = [] } = found;
    return {
      title: shown.title,
      body: [
        line(
          kindChip(shown.type),
          timeOf(shown.timestamp),
          importance(shown.importance),
          h("code", { class: "id" }, shown.id),
        ),
        shown.subtitle !== undefined &&
          !shown.narrative.startsWith(shown.subtitle) &&
          h("p", {}, shown.subtitle),
        observationText(shown),
        details(shown, labels),
        section("Remembered from it", await citedBy(reader, origin)),
        neighbors.length > 0 &&
          section(
            "Around it",
            rowList(
              neighbors.map(({ obsId, title, type, timestamp }) =>
                line(
                  timeOf(timestamp),
                  kindChip(type),
                  h("a", { href: linkTo("observation", obsId) }, title),
                ),
              ),
              { isTight: true },
            ),
          ),
        shown.raw !== undefined &&
          section(
            "The event",
            h(
              "details",
              {},
              h("summary", {}, "As it was captured"),
              h("pre", { class: "content" }, JSON.stringify(shown.raw, null, 2)),
            ),
          ),
      ],
    };
  },
};

function details(shown: Observation, labels: Child): HTMLElement {
  return detailList([
    ["Session", h("a", { href: linkTo("session", shown.sessionId) }, shown.sessionId)],
    ["Agent", shown.agentId],
    ["Labels", labels],
    ["Hook", shown.hookType],
    ["Tool", shown.toolName],
    ["Arrived", timeOf(shown.receivedAt)],
    ["Confidence", shown.confidence.toFixed(2)],
    ["Compressed", shown.compression === "llm" ? "by a model" : "by rules"],
    ["From", shown.origin !== undefined && plain(shown.origin.channel)],
    ["Image", shown.imageRef !== undefined && h("code", { class: "id" }, shown.imageRef)],
    ["The image shows", shown.imageDescription],
  ]);
}

async function citedBy(reader: Reader, origin: Replies["/verify"]): Promise<Child> {
  if (origin.type !== "observation" || origin.citedBy.length === 0)
    return note("No memory was derived from it.");
  const titles = await recordTitles(reader, origin.citedBy);
  return itemList({ class: "plain" }, origin.citedBy, (id) => recordLink(id, "memory", titles.get(id)));
}
