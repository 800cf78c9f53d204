import type { listRelations, relate } from "../../knowledge/memories/relations/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { shownTitle } from "./memories.ts";
import { moreAfter } from "./quantity.ts";

export function renderRelations(
  { relations, memories = [], ...page }: OutputOf<typeof listRelations>,
  terminal: Terminal,
): string {
  const { paint } = terminal;
  if (relations.length === 0) return "no relations";
  return [
    ...inColumns(
      relations.map(({ sourceId, sourceTitle, type, targetId, targetTitle, confidence }) => [
        sourceId,
        type,
        targetId,
        { whole: `${sourceTitle} → ${targetTitle}` },
        paint.dim(`confidence ${confidence.toFixed(2)}`),
      ]),
      terminal,
    ),
    ...moreAfter(page, relations, paint),
    ...inColumns(
      memories.map(({ memory, hop, confidence }) => [
        `${"  ".repeat(hop)}${memory.id}`,
        { whole: shownTitle(memory) },
        paint.dim(`confidence ${confidence.toFixed(2)}`),
      ]),
      terminal,
    ),
  ].join("\n");
}

export function renderRelated(
  { relationId, created }: OutputOf<typeof relate>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return relationId;
  return created ? `${paint.green("related")} ${relationId}` : `related before: ${relationId}`;
}
