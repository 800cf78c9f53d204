import { updateSettings } from "@clack/prompts";

export { confirm, isCancel, multiselect, password, text } from "@clack/prompts";

// ^D closes the terminal's input, and a prompt that is not told waits for an answer that cannot come: the program would
// end there as if everything were done.
updateSettings({ aliases: { "\u0004": "cancel" } });
