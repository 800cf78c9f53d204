import type {
  facetStats,
  listFacets,
  queryFacets,
  removeFacet,
  tagFacet,
} from "../../coordination/facets/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";

export function renderTagged(
  { facet, skipped }: OutputOf<typeof tagFacet>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return facet.id;
  const label = `${facet.dimension}:${facet.value}`;
  return skipped === true
    ? `${facet.targetId} already had ${label}`
    : `${paint.green("labelled")} ${facet.targetId} ${label}`;
}

export function renderUntagged(answer: OutputOf<typeof removeFacet>): string {
  return `${dryRunVerb(answer, "removed", "remove")} ${counted(answer.removed, "label")}`;
}

export function renderFacetMatches(
  { results, ...page }: OutputOf<typeof queryFacets>,
  terminal: Terminal,
): string {
  const nothing = "no record has these labels";
  return pageLines(page, results, terminal, nothing, ({ targetId, targetType, matchedFacets }) => [
    targetId,
    targetType,
    terminal.paint.dim(matchedFacets.join(", ")),
  ]);
}

export function renderFacets({ dimensions }: OutputOf<typeof listFacets>, { paint }: Terminal): string {
  if (dimensions.length === 0) return "no labels";
  return dimensions
    .map(({ dimension, values }) => `${paint.dim(`${dimension}:`)} ${values.join(", ")}`)
    .join("\n");
}

export function renderFacetStats({ dimensions }: OutputOf<typeof facetStats>, { paint }: Terminal): string {
  if (dimensions.length === 0) return "no labels";
  return dimensions
    .map(({ dimension, values }) => {
      const counts = values.map(({ value, count }) => `${value} ${count}`);
      return `${paint.dim(`${dimension}:`)} ${counts.join(", ")}`;
    })
    .join("\n");
}
