/*
 * Agents insert notes of their own into prompts: that a background task has ended, reminders, which file is
 * open, what a command printed. The rules ignore them, as a reader would.
 */

const noteTags = [
  ...["task-notification", "system-reminder", "teammate-message", "new-diagnostics", "turn_aborted"],
  ...["local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-stdout", "bash-stderr"],
  ...["ide_opened_file", "ide_selection", "ide_diagnostics", "environment_context", "user_instructions"],
  "command-message",
];
const opening = new RegExp(`<(${noteTags.join("|")})(?: [^<>]{0,200})?>`, "g");
/** The end of a text that was cut. */
const cutEnd = /…(?:\[truncated \d{1,12} characters\])?$/;
/**
 * The tags around a command that the user typed. The white space is bounded, so that a long run of it costs
 * nothing.
 */
const commandTag = /\s{0,8}<\/?(?:command-name|command-args|bash-input)>\s{0,8}/g;
/** After this note, text follows that says where to read more; it belongs to the note. */
const taskEnd = "<task-notification>";
const summary = /<summary>([^<]{1,1000})<\/summary>/;
const anyTag = /<\/?[a-z][\w-]{0,60}(?: [^<>]{0,200})?>/gi;
/** Lines that the user quotes, as mails and issues do. */
const quotedLine = /^[ \t]{0,3}>(?:[ \t>].*)?$/gm;

/** Begins the summary of a compacted conversation, which agents send as a prompt. */
export const continued =
  "This session is being continued from a previous conversation that ran out of context.";

/** What the user wrote of a prompt, unless all of it is quoted; `""` when all of it is notes. */
export function wordsOfUser(prompt: string): string {
  const words = withoutNotes(prompt);
  const own = words.replace(quotedLine, "");
  return own.length === words.length || own.trim() === "" ? words : own.trim();
}

function withoutNotes(prompt: string): string {
  if (prompt.startsWith(continued)) return "";
  if (!prompt.includes("<")) return prompt;
  const notes = notesIn(prompt);
  if (notes[0] !== undefined && beginsWithTaskEnd(prompt, notes[0])) return "";
  let words = "";
  let read = 0;
  for (const { from, to } of notes) {
    words += `${prompt.slice(read, from)} `;
    read = to;
  }
  words = (words + prompt.slice(read)).replace(commandTag, " ");
  return words.length === prompt.length ? prompt : words.trim();
}

function beginsWithTaskEnd(prompt: string, first: Note): boolean {
  return prompt.startsWith(taskEnd, first.from) && prompt.slice(0, first.from).trim() === "";
}

interface Note {
  readonly from: number;
  readonly to: number;
}

/**
 * The positions of notes, in order. A user may mention the tags, too: an unclosed tag is the user's, unless
 * the text was cut; so is a tag inside a line if another one begins a line before the closing tag.
 */
function notesIn(text: string): Note[] {
  const notes: Note[] = [];
  const placeOf = placesIn(text);
  const isCut = cutEnd.test(text);
  let read = 0;
  for (const { 1: name, index: from } of text.matchAll(opening)) {
    if (from < read) continue;
    const end = `</${name}>`;
    const closed = placeOf(end, from);
    const beginsLine = from === 0 || text[from - 1] === "\n";
    const isNote =
      closed === Infinity ? beginsLine && isCut : beginsLine || placeOf(`\n<${name}`, from) > closed;
    if (!isNote) continue;
    read = Math.min(closed + end.length, text.length);
    notes.push({ from, to: read });
  }
  return notes;
}

/**
 * Finds the next position of a piece of the text. Positions are remembered, so that repeated questions do not
 * search again.
 */
function placesIn(text: string): (piece: string, from: number) => number {
  const known = new Map<string, number>();
  return (piece, from) => {
    const before = known.get(piece);
    if (before !== undefined && before >= from) return before;
    const found = text.indexOf(piece, from);
    const place = found < 0 ? Infinity : found;
    known.set(piece, place);
    return place;
  };
}

/** Whether a prompt contains nothing that the user wrote. */
export function isAgentNote(prompt: string): boolean {
  return prompt.trim() !== "" && wordsOfUser(prompt) === "";
}

/** The content of an agent's note, without its tags. */
export function textOfNote(prompt: string): string {
  return (summary.exec(prompt)?.[1] ?? prompt.replace(anyTag, " ")).trim();
}
