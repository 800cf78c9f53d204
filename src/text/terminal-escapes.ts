const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|[()][0-9A-B])/g;

/* As JSON within a text, scripts and source code write them: `\u001b[33m`, `\x1b[0m`, `\033[1m`, `\e[0m`. */
const writtenEscapes = /\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;?]*[ -/]*[@-~]/g;

/** The text without the sequences that tell a terminal of colours and cursor movement. */
export function withoutTerminalEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(escapes, "") : text;
}

/** The text without such sequences that are only written out in it. */
export function withoutWrittenEscapes(text: string): string {
  return text.includes("\\") ? text.replace(writtenEscapes, "") : text;
}
