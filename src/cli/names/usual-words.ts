/** What people call commands who know other programs, where no group is named. */
const usualWords: Readonly<Record<string, readonly string[]>> = {
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
};

/** A word that more groups have, such as `list`, names none of them. */
const mostMeant = 4;

interface Place {
  /** Whether it stands where a command does; behind a group it is one of the group's that is meant. */
  readonly isFirst: boolean;
  /** The commands of any group that end with a word. */
  named(word: string): readonly string[];
}

/** The commands that somebody may mean who typed a word which is none. */
export function commandsMeantBy(typed: string, { isFirst, named }: Place): readonly string[] {
  const usual = isFirst && Object.hasOwn(usualWords, typed) ? (usualWords[typed] ?? []) : [];
  const all = [...usual, ...named(typed)];
  return all.length > mostMeant ? usual : all;
}
