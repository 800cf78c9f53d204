import * as z from "zod";
import type { Core } from "../../core.ts";
import { type Caller, defineOperation } from "../../operation/define.ts";
import { dryRunInput, Path, ProjectName, TagsOrCsv } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { VaultExported } from "./answers.ts";
import { noteKinds } from "./note-kinds.ts";

const input = z.object({
  vaultDir: Path.describe("folder of the vault; relative paths start from vault/ in the memsvc home"),
  types: TagsOrCsv.pipe(z.array(z.enum(noteKinds)))
    .optional()
    .describe("which notes: memories, lessons, crystals, sessions (default: all)"),
  project: ProjectName.optional().describe("only notes of this project, and lessons of no project"),
  ...dryRunInput,
});

const output = orQueued(VaultExported);

const errors = ["invalid_input", "forbidden", "not_found"] as const;

function run(core: Core, { types = [], ...given }: z.output<typeof input>, caller: Caller) {
  const wanted = types.length === 0 ? noteKinds : types;
  return core.vault.export({ ...given, types: wanted }, waitMs(core, caller), caller);
}

export const exportVault = defineOperation({
  id: "vault.export",
  functionId: "vault.export",
  summary: "Export what is known as a folder of linked Markdown notes",
  description:
    "Notes from earlier exports are replaced, or removed if their record is gone; other files are never changed.",
  http: { method: "POST", path: "/vault/export", success: 200, otherwise: whenQueued },
  cli: {
    command: "vault export <vaultDir>",
    flags: { types: "type" },
    examples: [
      "memsvc vault export notes",
      "memsvc vault export notes --dry-run",
      "memsvc vault export ~/vault --type memories --type lessons",
      "memsvc vault export ./vault --project shop",
    ],
    bulk: true,
  },
  mcp: {
    tool: "memory_vault_export",
    effects: "write",
    idempotent: true,
    title: "Export to a vault",
    description:
      "Export what is known as a folder of linked Markdown notes. Use it when the user wants to read or keep it in a notes program.",
    arguments: { vaultDir: true, types: true, project: true },
  },
  deletes: true,
  input,
  output,
  errors,
  run,
});

export const exportObsidian = defineOperation({
  id: "vault.exportObsidian",
  functionId: "vault.export",
  summary: "The same as POST /vault/export, under another name for existing clients",
  http: { method: "POST", path: "/obsidian/export", success: 200, otherwise: whenQueued },
  deletes: true,
  input,
  output,
  errors,
  run,
});

export const vaultOperations = [exportVault, exportObsidian];
