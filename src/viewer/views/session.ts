import type { Session } from "../../capture/sessions/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom } from "../format.ts";
import { statusChip, tagChips } from "../parts/chips.ts";
import { pathList } from "../parts/code.ts";
import { commitRow } from "../parts/commits.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { itemList } from "../parts/item-list.ts";
import { line, note } from "../parts/line.ts";
import { listOf } from "../parts/list.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { projectLink } from "../parts/record-links.ts";
import { rowList } from "../parts/rows.ts";
import { detailList, section } from "../parts/section.ts";
import { timeAgo, timeOf } from "../parts/time.ts";
import { observationTypes, timelineEntry } from "../parts/timeline.ts";
import { offsetIn, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { sessionTitle } from "./sessions.ts";

const entriesShown = 100;
const commitsShown = 500;

export const session: View = {
  name: "session",
  under: "sessions",
  show: async (reader, route) => {
    const [answer, { commits }] = await Promise.all([
      reader.get("/observations", {
        sessionId: route.id,
        type: textIn(route, "type"),
        order: textIn(route, "order") ?? "asc",
        limit: entriesShown,
        offset: offsetIn(route),
      }),
      reader.get("/commits", { sessionId: route.id, limit: commitsShown }),
    ]);
    const { session: shown } = answer;
    // Hooks report a call twice: before and after it ran.
    const begun = new Set(answer.begun);
    const told = answer.observations.filter(({ id }) => !begun.has(id));
    const page = { ...answer, leftOut: begun.size };
    return {
      title: sessionTitle(shown),
      body: [
        line(statusChip(shown.status), projectLink(shown.project), h("code", { class: "id" }, shown.id)),
        details(shown),
        summary(shown),
        commits.length > 0 && section("Commits", rowList(commits.map(commitRow), { isTight: true })),
        section(
          "Timeline",
          filters(route, [
            { name: "type", label: "Type", values: anyOf(observationTypes) },
            {
              name: "order",
              label: "Order",
              values: [
                ["", "oldest first"],
                ["desc", "newest first"],
              ],
            },
          ]),
          h(
            "div",
            { class: "timeline" },
            listOf(route, page, told.map(timelineEntry), {
              unit: ["observation", "observations"],
              isHeaded: true,
              nothing: ["Nothing was observed in this session: it was only started."],
            }),
          ),
        ),
      ],
    };
  },
};

function details(session: Session): HTMLElement {
  return detailList([
    ["Folder", h("code", {}, session.cwd)],
    ["Agent", session.agentId],
    ["Model", session.model],
    ["Started", timeOf(session.startedAt)],
    ["Ended", session.endedAt !== undefined && timeOf(session.endedAt)],
    ["Last activity", timeAgo(session.updatedAt)],
    ["Tags", session.tags.length > 0 && session.tags.join(", ")],
    ["First prompt", session.summaryDetail !== undefined && session.firstPrompt],
  ]);
}

function summary({ id, summaryDetail, summary }: Session): Child {
  if (summaryDetail === undefined) {
    return section(
      "Summary",
      summary !== undefined && summary !== ""
        ? h("p", {}, summary)
        : emptyListNotice(
            "Not summarised yet; that happens when the session ends, or with",
            `memsvc session summarize ${id}`,
          ),
    );
  }
  const { narrative, keyDecisions, filesModified, concepts, provider, qualityScore } = summaryDetail;
  return section(
    "Summary",
    narrative !== "" && h("pre", { class: "content" }, narrative),
    keyDecisions.length > 0 && [h("h3", {}, "Decisions"), itemList({}, keyDecisions, (decision) => decision)],
    filesModified.length > 0 && [h("h3", {}, "Files changed"), pathList(filesModified, "Files changed")],
    tagChips(concepts, "Concepts"),
    note(`Written ${byWhom(provider)}, quality ${qualityScore} of 100.`),
  );
}
