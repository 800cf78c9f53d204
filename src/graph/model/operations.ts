import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, int, optionalText, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { BuildAnswer, ExtractAnswer } from "../answers.ts";

const ToldObservation = z
  .object({
    id: Id.optional().describe("id of the observation; a known one stands for the stored text"),
    sessionId: Id.optional().describe("session that it belongs to"),
    title: optionalText(1_000).optional().describe("one line"),
    narrative: optionalText(100_000).optional().describe("what happened"),
    facts: z.array(optionalText(2_000)).max(100).optional().describe("single facts"),
    concepts: z.array(optionalText(200)).max(200).optional().describe("tags"),
    files: z.array(optionalText(4_096)).max(200).optional().describe("files that it touched"),
  })
  .refine(({ title = "", narrative = "" }) => /\S/u.test(title) || /\S/u.test(narrative), {
    message: "needs a title or a narrative",
  });

export const extractGraph = defineOperation({
  id: "graph.extract",
  functionId: "graph.extract",
  summary: "Let the language model extract graph nodes and edges from observations",
  http: { method: "POST", path: "/graph/extract", success: 200, otherwise: whenQueued },
  cli: {
    command: "graph extract <observations...>",
    examples: ["memsvc graph extract obs_01 obs_02", "memsvc graph extract obs_01 --json"],
  },
  input: z.object({
    observations: z
      .array(
        z.union([Id, ToldObservation], {
          error: "must be the id of an observation, or an object with its title or narrative",
        }),
      )
      .min(1)
      .max(100)
      .describe("ids of observations, or observations themselves"),
    ...scopeFields,
  }),
  output: orQueued(ExtractAnswer),
  features: ["GRAPH_EXTRACTION_ENABLED"],
  errors: ["invalid_input", "not_found", "provider_failed", "feature_off", "unavailable"],
  run: (core, input, caller) => core.graph.extract(input, waitMs(core, caller)),
});

export const buildGraph = defineOperation({
  id: "graph.build",
  functionId: "graph.build",
  summary: "Let the language model extract from all observations that it has not read yet",
  description: "An interrupted run continues where it stopped.",
  http: { method: "POST", path: "/graph/build", success: 200, otherwise: whenQueued },
  cli: {
    command: "graph build",
    examples: ["memsvc graph build", "memsvc graph build --project shop --force"],
    bulk: true,
  },
  input: z.object({
    batchSize: int(1, 100).default(25).describe("observations per model call"),
    project: ProjectName.optional().describe("only this project"),
    force: z.boolean().default(false).describe("include those that it has already read"),
    ...scopeFields,
  }),
  output: orQueued(BuildAnswer),
  features: ["GRAPH_EXTRACTION_ENABLED"],
  errors: ["invalid_input", "provider_failed", "feature_off", "unavailable"],
  run: (core, input, caller) => core.graph.build(input, waitMs(core, caller)),
});

export const graphModelOperations = [extractGraph, buildGraph];
