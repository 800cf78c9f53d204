import type { CommandDefinition, FlagForm } from "../command.ts";

const agentSettingsFlags: readonly FlagForm[] = [
  {
    form: "--scope <value>",
    description: "whose settings to change",
    choices: ["user", "project"],
    default: "user",
  },
  { form: "--dry-run", description: "show what would change, as a diff, and change nothing" },
];

/** Commands that set up memsvc and what it works with. */
export const setupCommands: readonly CommandDefinition[] = [
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
    flags: [
      { form: "--bash", description: "the words are a line of bash and what a candidate replaces in it" },
    ],
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
    summary: "Set up memsvc: home, secret, embedding model, agents, context, consolidation, completions",
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
