import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import type { facets } from "./tables.ts";

export const FacetTarget = z.enum(["action", "memory", "observation"]);
export type FacetTarget = z.infer<typeof FacetTarget>;

export const Facet = z
  .object({
    id: z.string().describe("id of the facet"),
    targetId: z.string().describe("record to remove it from"),
    targetType: FacetTarget.describe("kind of that record"),
    dimension: z.string().describe("what the label is about, such as team"),
    value: z.string().describe("the label itself, such as payments"),
    createdAt: TimeText.describe("when it was put there"),
  })
  .meta({ id: "Facet" });
export type Facet = z.infer<typeof Facet>;

export type FacetRow = typeof facets.$inferSelect;

export function facetRecord(row: FacetRow): Facet {
  return { ...row, createdAt: timeText(row.createdAt) };
}

/** A label without the record that bears it. */
export interface Label {
  readonly dimension: string;
  readonly value: string;
}

/** The text form of a label, as queries name it. */
export function labelText({ dimension, value }: Label): string {
  return `${dimension}:${value}`;
}

/** Parses the text form of a label, split at the first colon. Undefined when a part is missing. */
export function labelOf(text: string): Label | undefined {
  const colon = text.indexOf(":");
  const [dimension, value] = [text.slice(0, Math.max(0, colon)).trim(), text.slice(colon + 1).trim()];
  return dimension === "" || value === "" ? undefined : { dimension, value };
}
