import type { Observation } from "../../capture/observations/record.ts";
import { type Child, h } from "../element.ts";
import { linkTo } from "../route.ts";
import { kindChip, tagChips } from "./chips.ts";
import { pathList } from "./code.ts";
import { itemList } from "./item-list.ts";
import { line } from "./line.ts";
import { timeOf } from "./time.ts";

export const observationTypes = [
  "file_read",
  "file_write",
  "file_edit",
  "command_run",
  "search",
  "web_fetch",
  "conversation",
  "error",
  "decision",
  "discovery",
  "subagent",
  "notification",
  "task",
  "image",
  "other",
] satisfies Observation["type"][];

/** An entry in a session's timeline, with collapsed details. */
export function timelineEntry(observation: Observation): Child {
  const { id, title, subtitle, type, timestamp, toolName, hookType } = observation;
  return [
    line(
      timeOf(timestamp),
      kindChip(type),
      // Hooks report a call twice: before and after it ran.
      toolName !== undefined && hookType === "pre_tool_use" ? `${toolName} starts` : toolName,
      importance(observation.importance),
    ),
    h("h3", {}, h("a", { href: linkTo("observation", id) }, title)),
    subtitle !== undefined && subtitle !== title && h("p", { class: "excerpt" }, subtitle),
    hasMore(observation) && h("details", {}, h("summary", {}, "What it says"), observationText(observation)),
  ];
}

export function importance(value: number): HTMLElement {
  return h("span", { title: "importance, 1 to 10" }, `importance ${value}`);
}

/** The text of an observation, with its facts, files and concepts. */
export function observationText({ narrative, facts, files, concepts }: Observation): Child {
  return [
    narrative !== "" && h("pre", { class: "content" }, narrative),
    facts.length > 0 && itemList({}, facts, (fact) => fact),
    pathList(files, "Files"),
    tagChips(concepts, "Concepts"),
  ];
}

function hasMore({ narrative, facts, files, concepts }: Observation): boolean {
  return narrative !== "" || facts.length + files.length + concepts.length > 0;
}
