import type { CommandDefinition, FlagForm } from "../command.ts";

const listenFlags: readonly FlagForm[] = [
  { form: "--port <value>", description: "port of the API, 0 for a free one", default: "3111" },
  { form: "--host <value>", description: "address to listen on", default: "127.0.0.1" },
  { form: "--viewer-port <value>", description: "port of the viewer", default: "that of the API + 2" },
  { form: "--no-viewer", description: "do not serve the viewer" },
];

/** Commands that run the daemon, and look at it and at its store. */
export const daemonCommands: readonly CommandDefinition[] = [
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
    examples: ["memsvc daemon stop", "memsvc daemon stop --home ~/other/.memsvc"],
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
];
