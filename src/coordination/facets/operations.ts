import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput, dryRunOutput, Id, limit, Name, Offset, pageFields } from "../../operation/fields.ts";
import { Facet, FacetTarget, labelOf } from "./record.ts";

const mostLabels = 50;

const Dimension = Name.refine((name) => !name.includes(":"), "must not contain a colon");

const Label = z.string().transform((text, context) => {
  const label = labelOf(text);
  if (label !== undefined) return label;
  context.addIssue({ code: "custom", message: "must be a dimension and a value, such as team:payments" });
  return z.NEVER;
});

const Labels = z.array(Label).max(mostLabels).default([]);

export const tagFacet = defineOperation({
  id: "facets.tag",
  functionId: "facet.tag",
  summary: "Label an action, a memory or an observation",
  http: { method: "POST", path: "/facets", success: 200 },
  cli: {
    command: "facet tag <targetId> <dimension> <value>",
    examples: ["memsvc facet tag mem_01… team payments", "memsvc facet tag act_01… risk high"],
  },
  mcp: {
    tool: "memory_facet_tag",
    effects: "write",
    idempotent: true,
    title: "Label a record",
    description:
      "Label an action, memory or observation, for example with team: payments. Use it so that records can be found by topic.",
    arguments: {
      targetId: true,
      targetType: { required: true, description: "kind of that record" },
      dimension: true,
      value: true,
    },
  },
  input: z.object({
    targetId: Id.describe("record to label"),
    targetType: FacetTarget.optional().describe("kind of that record (default: found by its id)"),
    dimension: Dimension.describe("what the label is about, such as team; without a colon"),
    value: Name.describe("the label itself, such as payments"),
  }),
  output: z.object({
    facet: Facet.describe("the label as stored"),
    skipped: z.literal(true).optional().describe("present when it already existed"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.facets.tag(input, caller),
});

export const removeFacet = defineOperation({
  id: "facets.remove",
  functionId: "facet.remove",
  summary: "Remove a label from a record, or all labels of one dimension",
  http: { method: "POST", path: "/facets/remove", success: 200 },
  cli: {
    command: "facet remove <targetId> <dimension> [value]",
    examples: ["memsvc facet remove mem_01… team payments", "memsvc facet remove mem_01… team --dry-run"],
  },
  deletes: true,
  input: z.object({
    targetId: Id.describe("record to remove it from"),
    dimension: Name.describe("what the label is about"),
    value: Name.optional().describe("the label (default: all labels of the dimension)"),
    ...dryRunInput,
  }),
  output: z.object({ removed: z.number().int().describe("labels that were removed"), ...dryRunOutput }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input, caller) => ({ removed: await core.facets.remove(input, caller) }),
});

export const queryFacets = defineOperation({
  id: "facets.query",
  summary: "Find records by their labels, most recently labelled first",
  description: "All of matchAll, and at least one of matchAny if it is given.",
  http: { method: "POST", path: "/facets/query", success: 200 },
  cli: {
    command: "facet query",
    examples: [
      "memsvc facet query --match-all team:payments risk:high",
      "memsvc facet query --match-any team:payments team:billing --target-type memory",
    ],
  },
  mcp: {
    tool: "memory_facet_query",
    effects: "read",
    title: "Find by labels",
    description:
      "Find records that have all of some labels, or any of others. Use it when what you look for was labelled.",
    arguments: { matchAll: true, matchAny: true, targetType: true, limit: true },
  },
  hits: "results",
  input: z
    .object({
      matchAll: Labels.describe("labels that a record must all have, each as dimension:value"),
      matchAny: Labels.describe("labels of which a record must have at least one, each as dimension:value"),
      targetType: FacetTarget.optional().describe("only records of this kind"),
      limit: limit(50, 500).describe("maximum number"),
      offset: Offset.describe("records to skip"),
    })
    .refine(({ matchAll, matchAny }) => matchAll.length + matchAny.length > 0, {
      path: ["matchAll"],
      message: "matchAll or matchAny is needed, such as team:payments",
    }),
  output: z.object({
    results: z
      .array(
        z.object({
          targetId: z.string().describe("the record"),
          targetType: FacetTarget.describe("its kind"),
          matchedFacets: z.array(z.string()).describe("which of the labels it has, as dimension:value"),
        }),
      )
      .describe("latest labelled first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.facets.query(input),
});

export const listFacets = defineOperation({
  id: "facets.list",
  summary: "Show the labels of one record by dimension",
  http: { method: "GET", path: "/facets", success: 200 },
  cli: {
    command: "facet list <targetId>",
    examples: ["memsvc facet list mem_01…", "memsvc facet list act_01… --json"],
    records: "dimensions",
  },
  input: z.object({ targetId: Id.describe("record whose labels to show") }),
  output: z.object({
    dimensions: z
      .array(
        z.object({
          dimension: z.string().describe("what the labels are about"),
          values: z.array(z.string()).describe("the labels"),
        }),
      )
      .describe("in the order of their names; empty for a record without labels"),
  }),
  errors: ["invalid_input"],
  run: async (core, { targetId }) => ({ dimensions: await core.facets.of(targetId) }),
});

export const facetStats = defineOperation({
  id: "facets.stats",
  summary: "Count how often each label is used",
  http: { method: "GET", path: "/facets/stats", success: 200 },
  cli: {
    command: "facet stats",
    examples: ["memsvc facet stats", "memsvc facet stats --target-type action"],
  },
  input: z.object({ targetType: FacetTarget.optional().describe("only labels of records of this kind") }),
  output: z.object({
    dimensions: z
      .array(
        z.object({
          dimension: z.string().describe("what the labels are about"),
          values: z
            .array(
              z.object({
                value: z.string().describe("the label"),
                count: z.number().int().describe("records that have it"),
              }),
            )
            .describe("most used first"),
        }),
      )
      .describe("in the order of their names"),
    totalFacets: z.number().int().describe("all labels on all records"),
  }),
  errors: ["invalid_input"],
  run: (core, { targetType }) => core.facets.stats(targetType),
});

export const facetOperations = [tagFacet, removeFacet, queryFacets, listFacets, facetStats];
