import type { Insight } from "../../knowledge/insights/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom, counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { line } from "../parts/line.ts";
import { meter } from "../parts/meter.ts";
import { projectListView } from "../parts/project-list.ts";
import { recordLink, sourceList } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";

export const insights = projectListView({
  name: "insights",
  label: "Insights",
  path: "/insights",
  wording: {
    unit: ["insight", "insights"],
    order: "surest first",
    nothing: ["Nothing has been derived from memories and lessons yet.", "memsvc insight reflect"],
  },
  rowsOf: ({ insights }) => insights.map(insightRow),
});

function insightRow(insight: Insight): Child {
  const { title, content, confidence, reinforcements, project, agentId, provider, updatedAt } = insight;
  const sources = [...insight.sourceMemoryIds, ...insight.sourceLessonIds, ...insight.sourceCrystalIds];
  return [
    h("h3", {}, title),
    h("pre", { class: "content" }, content),
    line(
      meter(confidence, "confidence"),
      `found ${counted(reinforcements + 1, "time")}`,
      project,
      agentId !== undefined && `agent ${agentId}`,
      byWhom(provider),
      timeAgo(updatedAt),
    ),
    tagChips([...new Set([...insight.sourceConceptCluster, ...insight.tags])], "Concepts"),
    sourceList(
      "record",
      sources.map((id) => recordLink(id)),
    ),
  ];
}
