import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, Ids, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";

const FlowSummary = z
  .object({
    goal: z.string().describe("what the work was to achieve"),
    outcome: z.string().describe("what came of it"),
    steps: z.array(z.string()).describe("what was done, in its order"),
    discoveries: z.array(z.string()).describe("what was found out on the way"),
    lesson: z.string().describe("what to do or to avoid the next time; may be empty"),
  })
  .meta({ id: "FlowSummary" });

export const compressFlow = defineOperation({
  id: "flow.compress",
  functionId: "flow.compress",
  summary: "Remember how finished work was done, so that it can be done again",
  description:
    "The finished actions of a run, of a list or of a project become one memory of type workflow, made by the language model in use or by rules.",
  http: { method: "POST", path: "/flow/compress", success: 200, otherwise: whenQueued },
  cli: {
    command: "flow compress [actionIds...]",
    examples: [
      "memsvc flow compress act_01… act_02…",
      "memsvc flow compress --run-id run_01…",
      "memsvc flow compress --project shop",
    ],
    bulk: true,
  },
  input: z
    .object({
      runId: Id.optional().describe("run of a routine whose actions are meant"),
      actionIds: Ids.optional().describe("actions; those that are not finished are passed over"),
      project: ProjectName.optional().describe("project whose last finished actions are meant"),
      ...scopeFields,
    })
    .refine(
      ({ runId, actionIds, project }) => [runId, actionIds, project].some((one) => one !== undefined),
      "runId, actionIds or project required",
    ),
  output: orQueued(
    z.union([
      z.object({
        compressed: z.number().int().min(1).describe("actions that it was made of"),
        memoryId: z.string().describe("the memory"),
        summary: FlowSummary.describe("what it says"),
        provider: z.string().describe("who made it: a model's provider, or extractive for rules"),
        warning: z.string().optional().describe("why rules took a model's place"),
      }),
      z.object({
        compressed: z.literal(0).describe("nothing was finished"),
        message: z.string().describe("the same in words"),
      }),
    ]),
  ),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.flow.compress(input, waitMs(core, caller)),
});

export const flowOperations = [compressFlow];
