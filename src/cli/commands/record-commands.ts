import { importStrategies } from "../../governance/transfer/strategies.ts";
import type { CommandDefinition, FlagForm } from "../command.ts";
import { hookBehaviours } from "../observe/hook-behaviour.ts";

const agentFlag: FlagForm = {
  form: "--agent-id <value>",
  description: "agent whose rows to use; `*` reads those of all agents",
};

/** Commands that capture, show and carry away what is stored. */
export const recordCommands: readonly CommandDefinition[] = [
  {
    command: "observe",
    summary: "Capture one event of an agent, as JSON on stdin",
    flags: [
      { form: "--batch", description: "one event per line (NDJSON)" },
      { form: "--strict", description: "exit with an error code when an event fails, instead of 0" },
      {
        form: "--hook <agent>",
        description:
          "act as this agent's hook, which also starts and ends its sessions and gives them their context",
        choices: hookBehaviours.map(({ name }) => name),
      },
    ],
    examples: ["memsvc observe < event.json", "memsvc observe --batch --strict < events.ndjson"],
    load: () => import("./observe.ts"),
  },
  {
    command: "recall <query...>",
    summary: "Search, then choose which results to read in full",
    flags: [
      { form: "--project <value>", description: "only this project" },
      { form: "--limit <value>", description: "maximum number of hits", default: "10" },
      agentFlag,
    ],
    examples: ['memsvc recall "how do we deploy"', "memsvc recall retry policy --project shop --limit 5"],
    load: () => import("./recall.ts"),
  },
  {
    command: "show <id...>",
    summary: "Show records in full, by their ids",
    flags: [agentFlag],
    examples: ["memsvc show mem_01…", "memsvc show obs_01… --json"],
    load: () => import("./show.ts"),
  },
  {
    command: "export [file]",
    summary: "Write the whole store as JSON, to a file or to standard output",
    flags: [
      { form: "--gzip", description: "compress with gzip, as for a file whose name ends in .gz" },
      {
        form: "--max-sessions <value>",
        description: "export only a page of this many sessions, at most 1000",
      },
      { form: "--offset <value>", description: "sessions to skip, oldest first" },
      { form: "--include-images", description: "include the images themselves" },
    ],
    examples: ["memsvc export backup.json.gz", "memsvc export - | jq '.memories | length'"],
    load: () => import("./export.ts"),
  },
  {
    command: "import <file>",
    summary: "Import an export into the store, all or nothing",
    flags: [
      {
        form: "--strategy <value>",
        description:
          "for records that exist already: keep the newer (merge) or the existing one (skip); replace first deletes all records of the kinds in the file",
        choices: importStrategies,
        default: "merge",
      },
      { form: "--dry-run", description: "show what would be deleted and written, and change nothing" },
    ],
    examples: [
      "memsvc import backup.json.gz",
      "memsvc import - --strategy skip < backup.json",
      "memsvc import backup.json --strategy replace --dry-run",
    ],
    load: () => import("./import.ts"),
  },
];
