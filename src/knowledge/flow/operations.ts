import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, Ids, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { CompressedFlow } from "./answers.ts";

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
  output: orQueued(CompressedFlow),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.flow.compress(input, waitMs(core, caller)),
});

export const flowOperations = [compressFlow];
