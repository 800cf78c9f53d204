import { updateSettings } from "@clack/prompts";
import { onTerminationSignal } from "./termination-signals.ts";

const showCursor = "\u001b[?25h";

export { confirm, isCancel, multiselect, password, text } from "@clack/prompts";

// ^D closes the terminal's input, and a prompt that is not told waits for an answer that cannot come: the program would
// end there as if everything were done.
updateSettings({ aliases: { "\u0004": "cancel" } });

// A signal ends the program without a word to the prompt, which would leave the terminal as it needs it: without a cursor.
onTerminationSignal(() => {
  process.stdin.setRawMode?.(false);
  if (process.stdout.isTTY) process.stdout.write(showCursor);
});
