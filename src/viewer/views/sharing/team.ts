import type { TeamProfile } from "../../../sharing/team/profile.ts";
import type { TeamSharedItem } from "../../../sharing/team/record.ts";
import { type Child, h } from "../../element.ts";
import { beyondTitle } from "../../parts/beyond-title.ts";
import { kindChip } from "../../parts/chips.ts";
import { line } from "../../parts/line.ts";
import { projectList } from "../../parts/project-list.ts";
import { properties } from "../../parts/properties.ts";
import { recordLink } from "../../parts/record-links.ts";
import { detailList } from "../../parts/section.ts";
import { timeAgo } from "../../parts/time.ts";
import type { View } from "../../view.ts";
import { titleOf } from "../memories.ts";

const types = ["memory", "pattern", "observation"] satisfies TeamSharedItem["type"][];

export const team: View = {
  name: "team",
  label: "Team",
  show: async (reader, route) => {
    const wording = {
      unit: ["shared item", "shared items"],
      order: "last shared first",
      nothing: ["Nothing is shared with the team yet.", "memsvc team share mem_01… --type memory"],
    } as const;
    const choices = [{ name: "type", label: "Type", values: types }];
    const [profile, list] = await Promise.all([
      reader.get("/team/profile"),
      projectList(reader, route, {
        path: "/team/feed",
        choices,
        wording,
        rowsOf: ({ items }) => items.map(itemRow),
      }),
    ]);
    return {
      title: `Team ${profile.teamId}`,
      body: [profile.totalSharedItems > 0 && h("div", { class: "card" }, about(profile)), list],
    };
  },
};

function about({ members, topConcepts, topFiles }: TeamProfile): HTMLElement {
  const list = (names: readonly (readonly [name: string, count: number])[]) =>
    names.map(([name, count]) => (count > 1 ? `${name} (${count})` : name)).join(", ");
  return detailList([
    ["Members", members.join(", ")],
    ["Concepts", list(topConcepts.map(({ concept, frequency }) => [concept, frequency]))],
    ["Files", list(topFiles.map(({ file, frequency }) => [file, frequency]))],
  ]);
}

function itemRow({ type, itemId, content, sharedBy, sharedAt, project, visibility }: TeamSharedItem): Child {
  const { title, text = "" } = wordsOf(content);
  const shownTitle = title === undefined ? itemId : titleOf({ title, content: text });
  const excerpt = beyondTitle(shownTitle, text);
  return [
    h("h3", {}, shownTitle),
    excerpt !== "" && h("p", { class: "excerpt" }, excerpt),
    line(
      kindChip(type),
      h("strong", {}, sharedBy),
      visibility === "private" && h("span", { class: "chip" }, "private"),
      project !== "" && project,
      timeAgo(sharedAt),
      recordLink(itemId),
    ),
    h("details", {}, h("summary", {}, "The copy"), properties(content)),
  ];
}

/** Title and text of a shared copy: a record of some kind, or an arbitrary pattern. */
function wordsOf(content: TeamSharedItem["content"]): { readonly title?: string; readonly text?: string } {
  const firstOf = (...names: readonly string[]): string | undefined =>
    names
      .map((name) => content[name])
      .find((value): value is string => typeof value === "string" && value.trim() !== "");
  const [title, text] = [
    firstOf("title", "name", "description", "content"),
    firstOf("content", "narrative", "description"),
  ];
  return { ...(title !== undefined && { title }), ...(text !== undefined && { text }) };
}
