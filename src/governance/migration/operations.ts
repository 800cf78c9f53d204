import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Path } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { InferredProjects, MergedFile } from "./answers.ts";

export const migrate = defineOperation({
  id: "migration.run",
  functionId: "store.migrate",
  summary: "Bring older records up to date, or merge in another store",
  description:
    "The step infer-memory-projects gives memories without a project the project of the sessions that they come from. With dbPath instead, what this store lacks is imported from another store file of this service, or an export; the file is only read.",
  http: { method: "POST", path: "/migrate", success: 200, otherwise: whenQueued },
  cli: {
    command: "migrate [step]",
    examples: [
      "memsvc migrate infer-memory-projects --dry-run",
      "memsvc migrate infer-memory-projects",
      "memsvc migrate --db-path ~/old/memsvc.db",
      "memsvc migrate --db-path backup.json",
    ],
  },
  input: z
    .object({
      step: z.enum(["infer-memory-projects"]).optional().describe("the migration step"),
      dryRun: z.boolean().default(false).describe("with a step: show what would change, and change nothing"),
      dbPath: Path.optional().describe("store file or export to import"),
      cwd: Path.optional().describe(
        "folder that a relative path starts from (default: the working directory)",
      ),
    })
    .refine(({ step, dbPath }) => (step === undefined) !== (dbPath === undefined), {
      message: "give either step or dbPath",
    })
    .refine(({ dryRun, dbPath }) => !dryRun || dbPath === undefined, {
      path: ["dryRun"],
      message: "needs a step",
    }),
  output: orQueued(z.union([InferredProjects, MergedFile])),
  errors: ["invalid_input", "forbidden", "not_found", "too_large"],
  run: (core, { dryRun, dbPath, cwd }, caller) =>
    dbPath === undefined
      ? core.migrations.inferMemoryProjects(dryRun, caller)
      : core.migrations.mergeFile({ dbPath, cwd: cwd ?? caller.cwd }, waitMs(core, caller), caller),
});

export const migrationOperations = [migrate];
