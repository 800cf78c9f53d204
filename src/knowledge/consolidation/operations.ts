import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { AgentId, dryRunInput, int, limit, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { Consolidated, PipelineAnswer, Reflected } from "./answers.ts";
import { tierNames } from "./tier-names.ts";

const agentId = AgentId.optional().describe(
  "only rows of this agent; `*` for all (isolated agents are kept apart)",
);

export const consolidate = defineOperation({
  id: "consolidations.memories",
  functionId: "memory.consolidate",
  summary: "Let the language model turn observations into memories",
  description:
    "Important observations that share a concept become one memory, and the other tiers are updated. Each observation is used once.",
  http: { method: "POST", path: "/consolidate", success: 200, otherwise: whenQueued },
  cli: {
    command: "memory consolidate",
    examples: ["memsvc memory consolidate --project shop", "memsvc memory consolidate --min-observations 3"],
    bulk: true,
  },
  features: ["CONSOLIDATION_ENABLED"],
  input: z.object({
    project: ProjectName.optional().describe("only this project (default: each project separately)"),
    minObservations: int(1, 10_000)
      .default(10)
      .describe("minimum number of important new observations; with fewer, nothing is done"),
    agentId,
  }),
  output: orQueued(Consolidated),
  errors: ["invalid_input", "feature_off"],
  run: (core, input, caller) => core.consolidations.consolidate(input, waitMs(core, caller)),
});

export const consolidatePipeline = defineOperation({
  id: "consolidations.pipeline",
  functionId: "memory.pipeline",
  summary: "Distil facts, findings, procedures and insights from observations",
  description:
    "Uses rules, or a language model if a provider is configured and CONSOLIDATION_ENABLED or force is set. Findings are causes that agents stated; they become memories of the type bug. Projects are never mixed.",
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
      "Distil facts, findings, procedures and insights from observations, by rules or by the configured language model. Use it when the user asks for it, or after a long stretch of work.",
    arguments: { tier: true, project: true, force: true },
  },
  deletes: true,
  input: z
    .object({
      tier: z
        .enum([...tierNames, "all"])
        .default("all")
        .describe("one tier, or all of them in order"),
      project: ProjectName.optional().describe("only this project (default: each project separately)"),
      force: z
        .boolean()
        .default(false)
        .describe("use the language model even if CONSOLIDATION_ENABLED is not set"),
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
  summary: "Derive insights from facts, lessons and memories taken together",
  description: "Calls the language model once for each cluster of concepts; uses rules without one.",
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
      "Derive insights from facts, lessons and memories taken together, and store them. Use it when a project has much knowledge and you look for the larger picture.",
    arguments: { project: true, maxClusters: true },
  },
  input: z.object({
    project: ProjectName.optional().describe("only this project (default: each project separately)"),
    maxClusters: limit(10, 20).describe("maximum number of concept clusters to look at"),
    ...scopeFields,
  }),
  output: orQueued(Reflected),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.consolidations.reflect(input, waitMs(core, caller)),
});

export const consolidationOperations = [consolidate, consolidatePipeline, reflect];
