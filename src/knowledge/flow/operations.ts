import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, Ids, ProjectName, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { CompressedFlow } from "./answers.ts";

export const compressFlow = defineOperation({
  id: "flow.compress",
  functionId: "flow.compress",
  summary: "Store how finished work was done, so that it can be repeated",
  description:
    "The finished actions of a run, a list or a project become one memory of type workflow, made by the configured language model or by rules.",
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
      runId: Id.optional().describe("use the actions of this routine run"),
      actionIds: Ids.optional().describe("actions; unfinished ones are skipped"),
      project: ProjectName.optional().describe("use the last finished actions of this project"),
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
