/** What people call commands who know other programs. */
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

/** The commands that somebody may mean who typed a word which is none; those of `named` end with the word. */
export function commandsMeantBy(
  typed: string,
  named: (word: string) => readonly string[],
  most: number,
): readonly string[] {
  const usual = Object.hasOwn(usualWords, typed) ? (usualWords[typed] ?? []) : [];
  const all = [...usual, ...named(typed)];
  return all.length > most ? usual : all;
}
