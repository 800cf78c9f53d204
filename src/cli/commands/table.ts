import { importStrategies } from "../../governance/transfer/strategies.ts";
import type { CommandDefinition, FlagForm } from "../command.ts";
import { hookAgents } from "../observe/hook-agents.ts";

const listenFlags: readonly FlagForm[] = [
  { form: "--port <value>", description: "port of the API, 0 for a free one", default: "3111" },
  { form: "--host <value>", description: "address to listen on", default: "127.0.0.1" },
  { form: "--viewer-port <value>", description: "port of the viewer", default: "that of the API + 2" },
  { form: "--no-viewer", description: "do not serve the viewer" },
];

const agentFlag: FlagForm = {
  form: "--agent-id <value>",
  description: "agent whose rows to use; `*` reads those of all agents",
};

const agentSettingsFlags: readonly FlagForm[] = [
  {
    form: "--scope <value>",
    description: "whose settings to change",
    choices: ["user", "project"],
    default: "user",
  },
  { form: "--dry-run", description: "show what would change, as a diff, and change nothing" },
];

/** Commands that are not just one operation. The others are derived from the operations' declarations. */
export const ownCommands: readonly CommandDefinition[] = [
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
        choices: hookAgents.map(({ name }) => name),
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
    summary: "Show memories and observations in full",
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
  {
    command: "serve",
    summary: "Run the daemon in the foreground",
    flags: [
      ...listenFlags,
      { form: "--detach", description: "run in the background, like memsvc daemon start" },
    ],
    examples: ["memsvc serve", "memsvc serve --port 0", "memsvc serve --detach"],
    load: () => import("./serve.ts"),
  },
  {
    command: "daemon start",
    summary: "Run the daemon in the background",
    flags: listenFlags,
    examples: ["memsvc daemon start", "memsvc daemon start --port 3200"],
    load: async () => ({ run: (await import("./daemon.ts")).start }),
  },
  {
    command: "daemon stop",
    summary: "Let the daemon finish its work, then stop it",
    flags: [],
    examples: ["memsvc daemon stop", "memsvc daemon stop --home ~/work/.memsvc"],
    load: async () => ({ run: (await import("./daemon.ts")).stop }),
  },
  {
    command: "daemon restart",
    summary: "Restart the daemon with the same flags, for example after changing a setting",
    flags: listenFlags,
    examples: ["memsvc daemon restart", "memsvc daemon restart --port 4000"],
    load: async () => ({ run: (await import("./daemon.ts")).restart }),
  },
  {
    command: "daemon status",
    summary: "Show whether the daemon runs; the exit code is 7 if it does not",
    flags: [],
    examples: ["memsvc daemon status", "memsvc daemon status --json"],
    load: async () => ({ run: (await import("./daemon.ts")).status }),
  },
  {
    command: "daemon logs",
    summary: "Show the end of the daemon's log",
    flags: [
      { form: "--lines <value>", description: "how many lines", default: "50" },
      { form: "--follow", description: "keep printing new lines" },
    ],
    examples: ["memsvc daemon logs", "memsvc daemon logs --follow", "memsvc daemon logs --lines 200 --json"],
    load: async () => ({ run: (await import("./daemon.ts")).logs }),
  },
  {
    command: "service install",
    summary: "Have systemd or launchd start the daemon at login",
    flags: [
      { form: "--print-unit", description: "only print the file that would be written" },
      { form: "--dry-run", description: "show what would change, as a diff, and change nothing" },
    ],
    examples: [
      "memsvc service install",
      "memsvc service install --dry-run",
      "memsvc service install --print-unit",
    ],
    load: async () => ({ run: (await import("./service.ts")).install }),
  },
  {
    command: "service uninstall",
    summary: "Stop the service and remove it",
    flags: [{ form: "--dry-run", description: "show what would be removed, as a diff, and change nothing" }],
    examples: ["memsvc service uninstall", "memsvc service uninstall --dry-run"],
    load: async () => ({ run: (await import("./service.ts")).uninstall }),
  },
  {
    command: "viewer",
    summary: "Look at the memory in a browser",
    flags: [{ form: "--print", description: "only print the address" }],
    examples: ["memsvc viewer", "memsvc viewer --print"],
    load: () => import("./viewer.ts"),
  },
  {
    command: "mcp",
    summary: "Run an MCP server over standard input and output; agents start it",
    flags: [],
    examples: ["memsvc mcp", "memsvc mcp --url http://127.0.0.1:3200"],
    load: () => import("./mcp.ts"),
  },
  {
    command: "status",
    summary: "Show what runs, what is stored, and what is wrong",
    flags: [],
    examples: ["memsvc status", "memsvc status --json"],
    load: () => import("./status.ts"),
  },
  {
    command: "doctor",
    summary: "Find problems and say how to fix them",
    flags: [
      { form: "--fix", description: "fix what can be fixed automatically" },
      { form: "--dry-run", description: "with --fix: show what would be fixed, and change nothing" },
    ],
    examples: ["memsvc doctor", "memsvc doctor --fix --dry-run", "memsvc doctor --fix"],
    load: () => import("./doctor.ts"),
  },
  {
    command: "config list",
    summary: "List all settings with their values and where they come from",
    flags: [{ form: "--changed", description: "only those that differ from their default" }],
    examples: ["memsvc config list --changed", "memsvc config list --json"],
    load: async () => ({ run: (await import("./config.ts")).list }),
  },
  {
    command: "config get <key>",
    summary: "Print the value of a setting",
    flags: [],
    examples: ["memsvc config get MEMSVC_PORT", "memsvc config get MEMSVC_TOKEN_BUDGET --json"],
    load: async () => ({ run: (await import("./config.ts")).get }),
  },
  {
    command: "config set <key> [value]",
    summary: "Write a setting into the config file; a secret is read from stdin or asked for",
    flags: [
      {
        form: "--dry-run",
        description: "check the value and show what would be written, and change nothing",
      },
    ],
    examples: [
      "memsvc config set MEMSVC_PORT 3200",
      "memsvc config set MEMSVC_PORT 3200 --dry-run",
      "memsvc config set MEMSVC_SECRET < secret.txt",
    ],
    load: async () => ({ run: (await import("./config.ts")).set }),
  },
  {
    command: "config unset <key>",
    summary: "Reset a setting to its default by dropping it from the config file",
    flags: [{ form: "--dry-run", description: "show what would be written, and change nothing" }],
    examples: ["memsvc config unset MEMSVC_PORT", "memsvc config unset MEMSVC_PORT --dry-run"],
    load: async () => ({ run: (await import("./config.ts")).unset }),
  },
  {
    command: "config path",
    summary: "Print the path of the config file",
    flags: [],
    examples: ["memsvc config path", 'cat "$(memsvc config path)"'],
    load: async () => ({ run: (await import("./config.ts")).path }),
  },
  {
    command: "completions <shell>",
    summary: "Print the completion script for bash, zsh or fish",
    flags: [],
    examples: [
      'eval "$(memsvc completions bash)"',
      'eval "$(memsvc completions zsh)"',
      "memsvc completions fish > ~/.config/fish/completions/memsvc.fish",
    ],
    load: () => import("./completions.ts"),
  },
  {
    command: "complete [words...]",
    summary: "Print completions for a command line; the completion scripts call it",
    flags: [],
    examples: ["memsvc complete -- session sh", "memsvc complete -- lease ac"],
    hidden: true,
    load: () => import("./complete.ts"),
  },
  {
    command: "models list",
    summary: "List embedding models: which are installed, which one is in use",
    flags: [],
    examples: ["memsvc models list", "memsvc models list --json"],
    load: async () => ({ run: (await import("./models.ts")).list }),
  },
  {
    command: "models pull [name]",
    summary: "Fetch an embedding model and check it, or install it from a folder",
    flags: [
      { form: "--from <path>", description: "folder of the model's files, or one of them; needs no network" },
    ],
    examples: [
      "memsvc models pull",
      "memsvc models pull all-MiniLM-L6-v2 --from /media/usb/all-MiniLM-L6-v2",
      "memsvc models pull potion-base-8M --from ~/Downloads/potion-base-8M",
      "memsvc models pull clip-vit-base-patch32 --from ~/Downloads/clip-vit-base-patch32",
    ],
    load: async () => ({ run: (await import("./models.ts")).pull }),
  },
  {
    command: "models verify [name]",
    summary: "Compare an installed model's files with their checksums",
    flags: [],
    examples: ["memsvc models verify", "memsvc models verify potion-base-8M"],
    load: async () => ({ run: (await import("./models.ts")).verify }),
  },
  {
    command: "models remove <name>",
    summary: "Delete an installed embedding model",
    flags: [{ form: "--dry-run", description: "show what would be deleted, and change nothing" }],
    examples: ["memsvc models remove potion-base-8M", "memsvc models remove all-MiniLM-L6-v2 --dry-run"],
    load: async () => ({ run: (await import("./models.ts")).remove }),
  },
  {
    command: "init",
    summary: "Set up memsvc: home, secret, embedding model, agents, completions",
    flags: [
      {
        form: "--dry-run",
        description: "show what --yes would do, with a diff of agents' settings, and change nothing",
      },
    ],
    examples: ["memsvc init", "memsvc init --yes", "memsvc init --dry-run"],
    load: () => import("./init.ts"),
  },
  {
    command: "connect [agent]",
    summary: "Add hooks and the MCP server to an agent's settings; without an agent, list the agents",
    flags: agentSettingsFlags,
    examples: [
      "memsvc connect",
      "memsvc connect claude-code",
      "memsvc connect cursor --scope project",
      "memsvc connect codex --dry-run",
    ],
    load: async () => ({ run: (await import("./connect.ts")).connect }),
  },
  {
    command: "disconnect <agent>",
    summary: "Remove from an agent's settings what memsvc added",
    flags: agentSettingsFlags,
    examples: ["memsvc disconnect claude-code", "memsvc disconnect cursor --scope project --dry-run"],
    load: async () => ({ run: (await import("./connect.ts")).disconnect }),
  },
  {
    command: "demo",
    summary: "See memsvc work on a recorded project, in a temporary store",
    flags: [
      { form: "--keep", description: "keep the temporary store" },
      {
        form: "--model",
        description:
          "let the configured language model derive facts, procedures and insights; the recorded project is sent to it",
      },
    ],
    examples: ["memsvc demo", "memsvc demo --json", "memsvc demo --model"],
    load: () => import("./demo.ts"),
  },
];
