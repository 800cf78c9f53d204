import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { MemoryFile, Synced } from "./answers.ts";

const features = ["MEMSVC_BRIDGE_ENABLED"] as const;

export const readMemoryFile = defineOperation({
  id: "bridge.read",
  summary: "Show the coding agent's own memory file",
  http: { method: "GET", path: "/claude-bridge/read", success: 200 },
  cli: { command: "bridge read", examples: ["memsvc bridge read", "memsvc bridge read --json"] },
  mcp: {
    tool: "memory_claude_bridge_sync",
    effects: "write",
    idempotent: true,
    title: "Bridge to the agent's memory file",
    description:
      "Read the coding agent's own memory file, or rewrite memsvc's section in it. Use it to give what is known to sessions that cannot ask memsvc.",
    chosenBy: { argument: "direction", value: "read" },
    arguments: {},
  },
  features,
  input: z.object({}),
  output: MemoryFile,
  errors: ["invalid_input", "forbidden", "too_large", "feature_off"],
  run: (core) => core.bridge.read(),
});

export const syncMemoryFile = defineOperation({
  id: "bridge.sync",
  functionId: "bridge.sync",
  summary: "Write the strongest memories into the coding agent's own memory file",
  description:
    "Only the text between the lines <!-- memsvc:begin --> and <!-- memsvc:end --> is written; a copy of the previous file is kept beside it.",
  http: { method: "POST", path: "/claude-bridge/sync", success: 200 },
  cli: { command: "bridge sync", examples: ["memsvc bridge sync", "memsvc bridge sync --dry-run"] },
  mcp: {
    tool: "memory_claude_bridge_sync",
    effects: "write",
    idempotent: true,
    chosenBy: { argument: "direction", value: "write" },
    arguments: {},
  },
  features,
  deletes: true,
  input: z.object({
    dryRun: z.boolean().optional().describe("show whether the file would change, and change nothing"),
  }),
  output: Synced,
  errors: ["invalid_input", "forbidden", "conflict", "too_large", "feature_off"],
  run: (core, input) => core.bridge.sync(input),
});

export const bridgeOperations = [readMemoryFile, syncMemoryFile];
