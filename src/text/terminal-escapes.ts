/** The second and third form: titles of windows, links and marks around prompts; modes of the keyboard and cursor. */
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]{0,2048}(?:\u0007|\u001b\\)|[=>78cDEHMNO]|[()][0-9A-B])/g;

/*
 * Escape sequences as JSON within a text, scripts and source code write them: `\u001b[33m`, `\x1b[0m`, `\033[1m`,
 * `\e[0m`.
 */
const writtenEscapes = /\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;?]*[ -/]*[@-~]/g;

/** Removes terminal escape sequences (colours, cursor movement, titles, links). */
export function withoutTerminalEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(escapes, "") : text;
}

/** Removes escape sequences that are written out in the text. */
export function withoutWrittenEscapes(text: string): string {
  return text.includes("\\") ? text.replace(writtenEscapes, "") : text;
}
