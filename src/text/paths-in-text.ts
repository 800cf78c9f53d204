/** Longer words are not paths. */
const longestPath = 300;
const extension = /\.[a-z][a-z0-9]{0,9}$/iu;
const folded = /^(?:~|\.{1,2}|[\w@.-]+)?(?:\/[\w@.+()[\]-]+)+$/u;
const plainFile = /^[\w@-][\w@.-]*$/u;
/** Names of libraries such as `Node.js` are not files. */
const libraryName = /^[A-Z][a-z]+\.js$/;
/** Extensions that make a name without a folder a file, rather than a word with a dot in it. */
const knownExtensions = new Set(
  "c cc cfg cjs conf cpp cs css csv dart env ex exs go gradle graphql h hpp html ini ipynb java js json jsonc jsx kt less lock lua md mdx mjs mts php pl prisma properties proto ps1 py r rb rs sass scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml zig".split(
    " ",
  ),
);

/**
 * The file paths that a text mentions, in order, without duplicates: `src/main.ts`, `./x/y.py`, `README.md`. Linear in
 * the text's length.
 */
export function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const word of text.split(/[\s"'`<>|,;=]+/u)) {
    if (word.length > longestPath || !word.includes(".")) continue;
    const path = bare(word);
    if (isPath(path)) found.add(path);
  }
  return [...found];
}

/** The word without surrounding brackets, trailing punctuation and line number. */
function bare(word: string): string {
  return word
    .replace(/^[([{*]+/u, "")
    .replace(/[)\]}*.!?:]+$/u, "")
    .replace(/(?::\d+){1,2}$/u, "");
}

function isPath(word: string): boolean {
  const ending = extension.exec(word)?.[0].slice(1).toLowerCase();
  if (ending === undefined) return false;
  if (word.includes("/")) return folded.test(word);
  return plainFile.test(word) && knownExtensions.has(ending) && !libraryName.test(word);
}
