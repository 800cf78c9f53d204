/*
 * Agents put notes of their own into the user's place: that a task in the background has ended, reminders, which file is
 * open, what a command of theirs printed. A person reads past them, and so do the rules.
 */

const noteTags = [
  ...["task-notification", "system-reminder", "teammate-message", "new-diagnostics", "turn_aborted"],
  ...["local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-stdout", "bash-stderr"],
  ...["ide_opened_file", "ide_selection", "ide_diagnostics", "environment_context", "user_instructions"],
  "command-message",
];
const note = new RegExp(`<(${noteTags.join("|")})(?: [^<>]{0,200})?>[^]*?(?:</\\1>|$)`, "g");
/** What stands around a command that the user typed. The blanks are bounded, so that a long run of them costs nothing. */
const commandTag = /\s{0,8}<\/?(?:command-name|command-args|bash-input)>\s{0,8}/g;
/** Such a note goes on behind its end, with where to read more. */
const taskEnd = "<task-notification>";
const summary = /<summary>([^<]{1,1000})<\/summary>/;
const anyTag = /<\/?[a-z][\w-]{0,60}>/gi;

/** What the user wrote of a prompt; `""` when all of it is an agent's note. */
export function wordsOfUser(prompt: string): string {
  if (!prompt.includes("<")) return prompt;
  if (prompt.trimStart().startsWith(taskEnd)) return "";
  const words = prompt.replace(note, " ").replace(commandTag, " ");
  return words.length === prompt.length ? prompt : words.trim();
}

/** Whether the user wrote none of a text that stands in the user's place. */
export function isAgentNote(prompt: string): boolean {
  return prompt.trim() !== "" && wordsOfUser(prompt) === "";
}

/** What an agent's note says, without its tags. */
export function textOfNote(prompt: string): string {
  return (summary.exec(prompt)?.[1] ?? prompt.replace(anyTag, " ")).trim();
}
