/** Commands by the names that users of other programs may try, without a group. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  version: ["--version"],
  add: ["remember"],
  save: ["remember"],
  store: ["remember"],
  note: ["remember"],
  find: ["search"],
  query: ["search"],
  ask: ["search"],
  get: ["show"],
  list: ["memory list", "session list"],
  ls: ["memory list", "session list"],
  memories: ["memory list"],
  sessions: ["session list"],
  edit: ["evolve"],
  update: ["evolve"],
  delete: ["forget"],
  remove: ["forget"],
  rm: ["forget"],
  backup: ["export", "snapshot create"],
  info: ["status"],
  stats: ["status"],
  setup: ["init", "connect"],
  install: ["init", "connect"],
  uninstall: ["disconnect"],
  hooks: ["connect"],
  agents: ["connect"],
  mem: ["memory"],
  transcript: ["replay import"],
  transcripts: ["replay import"],
  history: ["session list", "timeline"],
  log: ["audit", "daemon logs"],
  settings: ["config"],
  env: ["config"],
  dashboard: ["viewer"],
  ui: ["viewer"],
  open: ["viewer"],
  task: ["action"],
  tasks: ["action list"],
  todo: ["action list", "next"],
};

/** Last words of commands that mean the same within a group; each group has one or two of them. */
const alike: readonly (readonly string[])[] = [
  ["add", "new", "create", "make", "save", "store", "note", "append", "send", "share", "start", "tag"],
  ["list", "ls", "all", "feed", "peers"],
  ["show", "get", "view", "info", "read", "status", "load"],
  ["update", "edit", "change", "modify", "set", "replace"],
  ["delete", "remove", "rm", "del", "drop", "discard", "cancel", "release"],
  ["search", "find", "query"],
];

/** Groups that have no commands for creating or changing records, which are top-level commands instead. */
const withoutOwnWords: ReadonlySet<string> = new Set(["memory"]);

/** A last word that more groups share, such as `list`, identifies none of them. */
const mostMeant = 4;

interface Place {
  /** The first word given: the mistyped one itself, or its group. */
  readonly asked: string | undefined;
  /** The commands of all groups that end with a word. */
  named(word: string): readonly string[];
}

/** Commands that may be meant by a word that is not a command. */
export function suggestCommands(typed: string, { asked, named }: Place): readonly string[] {
  const isFirst = typed === asked;
  const usual =
    (isFirst || withoutOwnWords.has(asked ?? "")) && Object.hasOwn(synonyms, typed)
      ? (synonyms[typed] ?? [])
      : [];
  const same = isFirst ? [] : alike.filter((words) => words.includes(typed)).flat();
  if (same.length > 0) {
    const ofGroup = same.flatMap((word) => named(word)).filter((command) => command.startsWith(`${asked} `));
    return ofGroup.length > 0 ? ofGroup : usual;
  }
  const all = [...usual, ...named(typed)];
  return all.length > mostMeant ? usual : all;
}
