import { updateSettings } from "@clack/prompts";
import { usualColumns } from "./terminal.ts";
import { onTerminationSignal } from "./termination-signals.ts";

const showCursor = "\u001b[?25h";
const usualRows = 24;

export { confirm, isCancel, multiselect, password, text } from "@clack/prompts";

// ^D closes the terminal's input. Without this a prompt would wait for an answer that cannot come, and the program
// would exit as if everything were done.
updateSettings({ aliases: { "\u0004": "cancel" } });

// In a width of 0 a prompt would show one character per line.
process.stdout.columns ||= usualColumns;
process.stdout.rows ||= usualRows;

// A signal ends the program without telling the prompt, which would leave the terminal in raw mode and without a
// cursor.
onTerminationSignal(() => {
  process.stdin.setRawMode?.(false);
  if (process.stdout.isTTY) process.stdout.write(showCursor);
});
