import type { Crystal } from "../../knowledge/crystals/record.ts";
import { type Child, h } from "../element.ts";
import { byWhom } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { pathList } from "../parts/code.ts";
import { itemList } from "../parts/item-list.ts";
import { line } from "../parts/line.ts";
import { projectListView } from "../parts/project-list.ts";
import { recordLink, sourceList } from "../parts/record-links.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo } from "../route.ts";

export const crystals = projectListView({
  name: "crystals",
  label: "Crystals",
  path: "/crystals",
  wording: {
    unit: ["crystal", "crystals"],
    order: "newest first",
    nothing: [
      "No finished work has been condensed yet. A crystal says what came of actions that are done:",
      "memsvc crystal auto",
    ],
  },
  rowsOf: ({ crystals }) => crystals.map(crystalRow),
});

function crystalRow(shown: Crystal): Child {
  const { narrative, keyOutcomes, lessons, sessionId, project, agentId, provider } = shown;
  return [
    h("pre", { class: "content" }, narrative),
    told("Came of it", keyOutcomes),
    told("Learned", lessons),
    pathList(shown.filesAffected, "Files"),
    line(
      project,
      agentId !== undefined && `agent ${agentId}`,
      sessionId !== undefined && h("a", { href: linkTo("session", sessionId) }, "its session"),
      byWhom(provider),
      timeAgo(shown.createdAt),
      h("code", { class: "id" }, shown.id),
    ),
    tagChips(shown.tags, "Tags"),
    sourceList(
      "action",
      shown.sourceActionIds.map((id) => recordLink(id, "action")),
    ),
  ];
}

function told(label: string, lines: readonly string[]): Child {
  return lines.length > 0 && [h("strong", {}, label), itemList({ "aria-label": label }, lines, (one) => one)];
}
