import type { z } from "zod";
import type {
  facetStats,
  listFacets,
  queryFacets,
  removeFacet,
  tagFacet,
} from "../../coordination/facets/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { doneOrWould } from "./dry-run.ts";
import { counted, moreAfter } from "./quantity.ts";

type Output<Op extends { readonly output: z.ZodType }> = z.output<Op["output"]>;

export function renderTagged(
  { facet, skipped }: Output<typeof tagFacet>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return facet.id;
  const label = `${facet.dimension}:${facet.value}`;
  return skipped === true
    ? `${facet.targetId} had ${label} before`
    : `${paint.green("labelled")} ${facet.targetId} ${label}`;
}

export function renderUntagged(answer: Output<typeof removeFacet>): string {
  return `${doneOrWould(answer, "took off", "take off")} ${counted(answer.removed, "label")}`;
}

export function renderFacetMatches(
  { results, ...page }: Output<typeof queryFacets>,
  terminal: Terminal,
): string {
  const { paint } = terminal;
  if (results.length === 0) return "no record bears these labels";
  return [
    ...inColumns(
      results.map(({ targetId, targetType, matchedFacets }) => [
        targetId,
        targetType,
        paint.dim(matchedFacets.join(", ")),
      ]),
      terminal,
    ),
    ...moreAfter(page, results, paint),
  ].join("\n");
}

export function renderFacets({ dimensions }: Output<typeof listFacets>, { paint }: Terminal): string {
  if (dimensions.length === 0) return "no labels";
  return dimensions
    .map(({ dimension, values }) => `${paint.dim(`${dimension}:`)} ${values.join(", ")}`)
    .join("\n");
}

export function renderFacetStats({ dimensions }: Output<typeof facetStats>, { paint }: Terminal): string {
  if (dimensions.length === 0) return "no labels";
  return dimensions
    .map(({ dimension, values }) => {
      const counts = values.map(({ value, count }) => `${value} ${count}`);
      return `${paint.dim(`${dimension}:`)} ${counts.join(", ")}`;
    })
    .join("\n");
}
