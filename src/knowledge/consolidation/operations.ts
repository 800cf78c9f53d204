import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { AgentId, dryRunInput, int, limit, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { Consolidated, PipelineAnswer, Reflected } from "./answers.ts";
import { tierNames } from "./tier-names.ts";

const agentId = AgentId.optional().describe(
  "only rows of this agent; `*` for all, each agent apart where agents are isolated",
);

export const consolidate = defineOperation({
  id: "consolidations.memories",
  functionId: "memory.consolidate",
  summary: "Have the language model make memories of what was observed",
  description:
    "Important observations that share a concept become a memory each, and the tiers around it are brought up to date. Observations are used once.",
  http: { method: "POST", path: "/consolidate", success: 200, otherwise: whenQueued },
  cli: {
    command: "memory consolidate",
    examples: ["memsvc memory consolidate --project shop", "memsvc memory consolidate --min-observations 3"],
    bulk: true,
  },
  features: ["CONSOLIDATION_ENABLED"],
  input: z.object({
    project: ProjectName.optional().describe("only this project; each project by itself otherwise"),
    minObservations: int(1, 10_000)
      .default(10)
      .describe("with fewer important new observations nothing is done"),
    agentId,
  }),
  output: orQueued(Consolidated),
  errors: ["invalid_input", "feature_off"],
  run: (core, input, caller) => core.consolidations.consolidate(input, waitMs(core, caller)),
});

export const consolidatePipeline = defineOperation({
  id: "consolidations.pipeline",
  functionId: "memory.pipeline",
  summary: "Distil facts, procedures and insights from what was observed",
  description:
    "Works by rules; with CONSOLIDATION_ENABLED or force, and a provider, a language model is asked. Projects are never mixed.",
  http: { method: "POST", path: "/consolidate-pipeline", success: 200, otherwise: whenQueued },
  cli: {
    command: "consolidate [tier]",
    examples: [
      "memsvc consolidate --project shop",
      "memsvc consolidate semantic",
      "memsvc consolidate --force",
      "memsvc consolidate decay --dry-run",
    ],
    bulk: true,
  },
  mcp: {
    tool: "memory_consolidate",
    effects: "write",
    core: true,
    title: "Consolidate",
    description:
      "Distil facts, procedures and insights from what was observed, by rules or by the configured language model. Use it when the user asks for it, or after a long stretch of work.",
    arguments: { tier: true, project: true, force: true },
  },
  deletes: true,
  input: z
    .object({
      tier: z
        .enum([...tierNames, "all"])
        .default("all")
        .describe("one tier, or all of them in their order"),
      project: ProjectName.optional().describe("only this project; each project by itself otherwise"),
      force: z
        .boolean()
        .default(false)
        .describe("use the language model although CONSOLIDATION_ENABLED is not set"),
      agentId,
      ...dryRunInput,
    })
    .refine(({ tier, dryRun }) => dryRun !== true || tier === "decay", {
      path: ["tier"],
      message: "must be decay on a dry run: the other tiers delete nothing",
    }),
  output: orQueued(PipelineAnswer),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.consolidations.pipeline(input, waitMs(core, caller)),
});

export const reflect = defineOperation({
  id: "consolidations.reflect",
  functionId: "insight.reflect",
  summary: "Find what facts, lessons and memories show when they are seen together",
  description: "One question to the language model for each cluster of concepts; by rules without one.",
  http: { method: "POST", path: "/reflect", success: 200, otherwise: whenQueued },
  cli: {
    command: "insight reflect",
    examples: ["memsvc insight reflect --project shop", "memsvc insight reflect --max-clusters 3"],
    bulk: true,
  },
  mcp: {
    tool: "memory_reflect",
    effects: "write",
    core: true,
    title: "Reflect",
    description:
      "Find what facts, lessons and memories show when they are seen together, and store it as insights. Use it when a project has gathered much knowledge and you look for the larger picture.",
    arguments: { project: true, maxClusters: true },
  },
  input: z.object({
    project: ProjectName.optional().describe("only this project; each project by itself otherwise"),
    maxClusters: limit(10, 20).describe("clusters of concepts to look at"),
    ...scopeFields,
  }),
  output: orQueued(Reflected),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.consolidations.reflect(input, waitMs(core, caller)),
});

export const consolidationOperations = [consolidate, consolidatePipeline, reflect];
