import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Path } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";

const Inferred = z.object({
  step: z.literal("infer-memory-projects").describe("as asked"),
  updated: z.number().int().describe("memories that got a project, or on a dry run would get one"),
  skipped: z.number().int().describe("memories without a stored source"),
  ambiguous: z.number().int().describe("memories whose sources belong to several projects"),
  dryRun: z.boolean().describe("true when nothing was changed"),
});

const Merged = z.object({
  sessionCount: z.number().int().describe("sessions that were taken"),
  obsCount: z.number().int().describe("observations that were taken"),
  summaryCount: z.number().int().describe("session summaries that were taken"),
  memoryCount: z.number().int().describe("memories that were taken"),
  skipped: z.number().int().describe("rows of all kinds that are here already"),
});

export const migrate = defineOperation({
  id: "migration.run",
  functionId: "store.migrate",
  summary: "Bring older records up to date, or merge in another store",
  description:
    "One of two: the step infer-memory-projects gives memories without a project that of the sessions they come from; dbPath names a store file of this service, or an export, and what it has and this store does not is taken from it. The file is only read.",
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
      step: z.enum(["infer-memory-projects"]).optional().describe("what to bring up to date"),
      dryRun: z.boolean().default(false).describe("with a step: only tell what would change"),
      dbPath: Path.optional().describe("store file or export to take in"),
      cwd: Path.optional().describe(
        "folder that a relative path starts from; the working directory unless given",
      ),
    })
    .refine(({ step, dbPath }) => (step === undefined) !== (dbPath === undefined), {
      message: "give one of step and dbPath",
    })
    .refine(({ dryRun, dbPath }) => !dryRun || dbPath === undefined, {
      path: ["dryRun"],
      message: "goes with a step alone",
    }),
  output: orQueued(z.union([Inferred, Merged])),
  errors: ["invalid_input", "forbidden", "not_found", "too_large"],
  run: (core, { dryRun, dbPath, cwd }, caller) =>
    dbPath === undefined
      ? core.migrations.inferMemoryProjects(dryRun, caller)
      : core.migrations.mergeFile({ dbPath, cwd }, waitMs(core, caller), caller),
});

export const migrationOperations = [migrate];
