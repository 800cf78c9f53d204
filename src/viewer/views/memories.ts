import type { Memory } from "../../knowledge/memories/record.ts";
import { type Child, h } from "../element.ts";
import { beyondTitle } from "../parts/beyond-title.ts";
import { kindChip, tagChips } from "../parts/chips.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { meter } from "../parts/meter.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, textIn } from "../route.ts";
import type { View } from "../view.ts";

const types = ["pattern", "preference", "architecture", "bug", "workflow", "fact"] satisfies Memory["type"][];

export const memories: View = {
  name: "memories",
  label: "Memories",
  show: async (reader, route) => {
    const given = { project: textIn(route, "project"), type: textIn(route, "type") };
    const [answer, known] = await Promise.all([
      reader.get("/memories", {
        ...given,
        agentId: textIn(route, "agent") ?? "*",
        latest: route.query.get("versions") === "all" ? undefined : "true",
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Memories",
      body: [
        filters(route, [
          { name: "type", label: "Type", values: anyOf(types) },
          { name: "project", label: "Project", known: known.projects },
          { name: "agent", label: "Agent", known: known.agents },
          {
            name: "versions",
            label: "Versions",
            values: [
              ["", "latest"],
              ["all", "all"],
            ],
          },
        ]),
        listOf(route, answer, answer.memories.map(memoryRow), {
          unit: ["memory", "memories"],
          order: "newest first",
          nothing: ["Nothing is remembered yet.", 'memsvc remember "Deploys go through staging first"'],
        }),
      ],
    };
  },
};

/** A memory in a list, with its strength. */
export function memoryRow(memory: Memory): Child {
  const { id, content, type, strength, version, isLatest, project, agentId, updatedAt } = memory;
  const title = titleOf(memory);
  const excerpt = beyondTitle(title, content);
  return [
    h("h3", {}, h("a", { href: linkTo("memory", id) }, title)),
    excerpt !== "" && h("p", { class: "excerpt" }, excerpt),
    line(
      kindChip(type),
      meter(strength, "strength"),
      version > 1 && `version ${version}`,
      !isLatest && h("span", { class: "chip old" }, "superseded"),
      project ?? "every project",
      agentId !== undefined && `agent ${agentId}`,
      timeAgo(updatedAt),
    ),
    tagChips(memory.concepts, "Concepts"),
  ];
}

/** Code points after which a title made from the content is cut. */
const titleCut = 80;

type Titled = Pick<Memory, "title" | "presentTitle" | "content">;

/** The title of a memory; one that was cut from the content ends with `…`, and not within a word. */
export function titleOf({ title: own, presentTitle, content }: Titled): string {
  const title = presentTitle ?? own;
  const isCut = [...title].length >= titleCut - 1 && content.startsWith(title) && content !== title;
  if (!isCut) return title;
  const isWithinWord = /^\S/u.test(content.slice(title.length));
  return `${isWithinWord ? title.replace(/\s+\S*$/u, "") : title}…`;
}
