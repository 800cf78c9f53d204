import type { OutputOf } from "../../operation/define.ts";
import type { shareItem, teamFeed, teamProfile } from "../../sharing/team/operations.ts";
import type { TeamSharedItem } from "../../sharing/team/record.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Field } from "./columns.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderSharedItem(
  { sharedItem, renewed }: OutputOf<typeof shareItem>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return sharedItem.id;
  const { id, visibility, teamId } = sharedItem;
  const reader = visibility === "private" ? "only you see it" : `team ${teamId} sees it`;
  return `${paint.green(renewed ? "renewed" : "shared")} ${id}, ${reader}`;
}

export function renderTeamFeed({ items, ...page }: OutputOf<typeof teamFeed>, terminal: Terminal): string {
  return pageLines(page, items, terminal, "nothing is shared", (item) => row(item, terminal));
}

export function renderTeamProfile(profile: OutputOf<typeof teamProfile>, { paint }: Terminal): string {
  const { teamId, members, totalSharedItems, topConcepts, topFiles, sharedPatterns } = profile;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["members", members],
    ["concepts", topConcepts.map(({ concept, frequency }) => `${concept} (${frequency})`)],
    ["files", topFiles.map(({ file, frequency }) => `${file} (${frequency})`)],
  ];
  return [
    `${paint.bold(teamId)}: ${counted(totalSharedItems, "shared item")}`,
    ...lists
      .filter(([, items]) => items.length > 0)
      .map(([name, items]) => `${paint.dim(`${name}:`)} ${items.join(", ")}`),
    ...sharedPatterns.map((pattern) => `- ${pattern}`),
  ].join("\n");
}

function row({ id, type, content, itemId, sharedBy, sharedAt }: TeamSharedItem, terminal: Terminal): Field[] {
  const { paint, isForPeople } = terminal;
  const title = typeof content.title === "string" ? content.title : itemId;
  const facts = [sharedBy, shownTime(sharedAt, isForPeople)].join(", ");
  return [id, type.padEnd(11), { whole: title }, paint.dim(facts)];
}
