import type { Insight } from "../../knowledge/insights/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom, counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { meter } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { drawnFrom, recordLink } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { textIn } from "../route.ts";
import type { View } from "../view.ts";

export const insights: View = {
  name: "insights",
  label: "Insights",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/insights", {
        project: textIn(route, "project"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Insights",
      body: [
        filters(route, [{ name: "project", label: "Project", known: known.projects }]),
        listOf(route, answer, answer.insights.map(insightRow), {
          unit: ["insight", "insights"],
          order: "surest first",
          nothing: emptyListNotice(
            "Nothing has been drawn from memories and lessons yet.",
            "memsvc insight reflect",
          ),
        }),
      ],
    };
  },
};

function insightRow(insight: Insight): Child {
  const { title, content, confidence, reinforcements, project, agentId, provider, updatedAt } = insight;
  const sources = [...insight.sourceMemoryIds, ...insight.sourceLessonIds, ...insight.sourceCrystalIds];
  return [
    h("h3", {}, title),
    h("pre", { class: "content" }, content),
    line(
      meter(confidence, "confidence"),
      h("span", {}, `found ${counted(reinforcements + 1, "time")}`),
      project !== undefined && h("span", {}, project),
      agentId !== undefined && h("span", {}, `agent ${agentId}`),
      h("span", {}, byWhom(provider)),
      timeAgo(updatedAt),
    ),
    tagChips([...new Set([...insight.sourceConceptCluster, ...insight.tags])], "Concepts"),
    drawnFrom(
      "record",
      sources.map((id) => recordLink(id)),
    ),
  ];
}
