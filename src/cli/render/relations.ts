import type { z } from "zod";
import type { listRelations, relate } from "../../knowledge/memories/relations/operations.ts";
import type { Terminal } from "../terminal.ts";
import { moreAfter } from "./quantity.ts";
import { oneLine } from "./text.ts";

export function renderRelations(
  { relations, memories = [], ...page }: z.output<typeof listRelations.output>,
  { paint, columns }: Terminal,
): string {
  if (relations.length === 0) return "no relations";
  return [
    ...relations.map(
      ({ sourceId, type, targetId, confidence }) =>
        `${sourceId}  ${type}  ${targetId}  ${paint.dim(confidence.toFixed(2))}`,
    ),
    ...moreAfter(page, relations, paint),
    ...memories.map(
      ({ memory, hop, confidence }) =>
        `${"  ".repeat(hop)}${memory.id}  ${oneLine(memory.title, Math.max(20, columns - 60))}  ${paint.dim(confidence.toFixed(2))}`,
    ),
  ].join("\n");
}

export function renderRelated(
  { relationId, created }: z.output<typeof relate.output>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return relationId;
  return created ? `${paint.green("related")} ${relationId}` : `related before: ${relationId}`;
}
