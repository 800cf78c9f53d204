import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Path, ProjectName } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { ImportAnswer } from "../answers.ts";

const importInput = z.object({
  path: Path.optional().describe("graph file (default: graphify-out/graph.json below cwd)"),
  cwd: Path.optional().describe("folder that a relative path starts from (default: the working directory)"),
  project: ProjectName.optional().describe("project of the graph (default: the last folder of cwd)"),
});

const importOutput = orQueued(ImportAnswer);

export const importGraph = defineOperation({
  id: "graph.import",
  functionId: "graph.import",
  summary: "Import the graph file of another tool into the knowledge graph",
  description: "Reading the same file twice changes nothing.",
  http: { method: "POST", path: "/graph/import", success: 200, otherwise: whenQueued },
  cli: {
    command: "graph import [path]",
    examples: ["memsvc graph import", "memsvc graph import out/graph.json --project shop"],
  },
  input: importInput,
  output: importOutput,
  errors: ["invalid_input", "forbidden", "not_found", "too_large"],
  run: (core, input, caller) =>
    core.graph.import({ ...input, cwd: input.cwd ?? caller.cwd }, waitMs(core, caller), caller),
});

export const importGraphify = defineOperation({
  id: "graph.importGraphify",
  functionId: "graph.import",
  summary: "The same as POST /graph/import, under another name for existing clients",
  http: { method: "POST", path: "/graph/import-graphify", success: 200, otherwise: whenQueued },
  input: importInput,
  output: importOutput,
  errors: ["invalid_input", "forbidden", "not_found", "too_large"],
  run: (core, input, caller) =>
    core.graph.import({ ...input, cwd: input.cwd ?? caller.cwd }, waitMs(core, caller), caller),
});

export const graphImportOperations = [importGraph, importGraphify];
