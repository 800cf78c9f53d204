import type { SemanticMemory } from "../../knowledge/facts/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom } from "../format.ts";
import { line } from "../parts/line.ts";
import { meter } from "../parts/meter.ts";
import { projectListView } from "../parts/project-list.ts";
import { recordLink, sourceList } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo } from "../route.ts";

export const facts = projectListView({
  name: "facts",
  label: "Facts",
  path: "/semantic",
  wording: {
    unit: ["fact", "facts"],
    order: "last changed first",
    nothing: ["No fact has been distilled from sessions and memories yet.", "memsvc consolidate"],
  },
  rowsOf: ({ semantic }) => semantic.map(factRow),
});

function factRow(shown: SemanticMemory): Child {
  const { fact, strength, confidence, project, agentId, provider } = shown;
  return [
    h("pre", { class: "content" }, fact),
    line(
      meter(strength, "strength"),
      meter(confidence, "confidence"),
      project,
      agentId !== undefined && `agent ${agentId}`,
      byWhom(provider),
      timeAgo(shown.lastStatedAt ?? shown.createdAt),
      shown.replacedBy !== undefined && "replaced by a later one",
    ),
    sourceList("record", [
      ...shown.sourceMemoryIds.map((id) => recordLink(id)),
      ...shown.sourceSessionIds.map((id) => h("a", { href: linkTo("session", id) }, `session ${id}`)),
    ]),
  ];
}
