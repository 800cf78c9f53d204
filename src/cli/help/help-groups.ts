/** In columns. Help is narrower on a narrower terminal, but never wider than this. */
export const helpWidth = 80;

/** The last paragraph of the help. */
export const exitCodes =
  "Exit codes: 0 done, 1 failure, 2 wrong usage or setting, 3 not found or no match, 4 not authorised, 5 conflict, 6 feature is off, 7 a daemon is needed and not there, 130 interrupted.";

/** The help's headings with the first words of their commands, in order. */
const groups: readonly (readonly [heading: string, words: readonly string[]])[] = [
  [
    "Every day:",
    [
      "remember",
      "search",
      "recall",
      "show",
      "context",
      "forget",
      "evolve",
      "timeline",
      "profile",
      "enrich",
      "file-context",
    ],
  ],
  ["What agents do:", ["observe", "session", "project", "replay", "branch", "vision", "compress-file"]],
  [
    "What was learned:",
    [
      "memory",
      "lesson",
      "slot",
      "insight",
      "fact",
      "procedure",
      "pattern",
      "relation",
      "graph",
      "consolidate",
    ],
  ],
  ["Sharing it:", ["team", "mesh", "vault", "bridge"]],
  [
    "Who does what next:",
    [
      "next",
      "frontier",
      "action",
      "lease",
      "routine",
      "checkpoint",
      "sentinel",
      "signal",
      "sketch",
      "facet",
      "crystal",
      "flow",
    ],
  ],
  [
    "Running it:",
    [
      "init",
      "connect",
      "disconnect",
      "serve",
      "daemon",
      "service",
      "mcp",
      "viewer",
      "status",
      "doctor",
      "health",
      "flags",
      "config",
      "models",
      "completions",
      "demo",
    ],
  ],
  [
    "Keeping the store:",
    [
      "export",
      "import",
      "snapshot",
      "migrate",
      "governance",
      "evict",
      "auto-forget",
      "verify",
      "audit",
      "diagnostics",
    ],
  ],
];

/** The heading of a command in the help, and a number for sorting; undefined if the command is not listed. */
export function helpPlace(word: string): { readonly heading: string; readonly order: number } | undefined {
  let order = 0;
  for (const [heading, words] of groups) {
    const at = words.indexOf(word);
    if (at >= 0) return { heading, order: order + at };
    order += words.length;
  }
  return undefined;
}
