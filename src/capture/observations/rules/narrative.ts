import { isObject } from "../../../json/is-object.ts";
import { cutText, headOf, lengthOf, tailOf } from "../../../text/cut.ts";
import { inputSummary } from "./input-summary.ts";
import { ownText } from "./json-text.ts";
import { planLine } from "./plan.ts";
import type { Reading } from "./reading.ts";
import { firstTextOf } from "./title.ts";
import { parsedInput } from "./tool-input.ts";
import { isConversationTool } from "./tool-kind.ts";

const longestNarrative = 1000;
const outputHead = 300;
const outputTail = 500;
const mostShown = outputHead + outputTail;
const longestErrorBlock = 110;
const arrow = " → ";
const gap = " … ";

/**
 * What happened, at most 1 000 code points: the prompt; else the input and the output (or the assistant's text). Of a
 * long output the first 300 and the last 500 code points stay, with its error lines before them.
 */
export function narrativeOf(reading: Reading, title: string): string {
  const { picked, prompt, answer } = reading;
  const isExchange = isConversationTool(picked.toolName);
  if (prompt !== undefined && !isExchange) return cutText(prompt.trim(), longestNarrative);
  const output = shownOutput(reading, isExchange ? answer : undefined);
  const room = longestNarrative - (output === "" ? 0 : lengthOf(output) + arrow.length);
  const input = isExchange ? cutText((prompt ?? "").trim(), room) : inputSummary(reading, Math.max(0, room));
  const parts = [input, output].filter((part) => part !== "");
  if (parts.length > 0) return cutText(parts.join(arrow), longestNarrative);
  return cutText(ownWords(reading) || title, longestNarrative);
}

function shownOutput(reading: Reading, said: string | undefined): string {
  const text =
    (said ?? (echoesInput(reading) ? "" : reading.output) ?? "").trim() || (reading.answer ?? "").trim();
  // Longer than this by code units only when it is so by code points, give or take pairs: measured exactly below.
  if (text.length <= mostShown || lengthOf(headOf(text, mostShown + 1)) <= mostShown) return text;
  const errors = cutText(reading.errorLines.join(" | "), longestErrorBlock);
  const kept = `${headOf(text, outputHead)}${gap}${tailOf(text, outputTail)}`;
  return errors === "" ? kept : `${errors}\n${kept}`;
}

// Edit tools answer with an object that repeats the edit, and what keeps a plan says that it does, or repeats it.
function echoesInput({ type, picked }: Reading): boolean {
  const input = parsedInput(picked.toolInput);
  if (isObject(input) && planLine(input) !== undefined) return true;
  const edits = type === "file_edit" || type === "file_write";
  if (!edits || !isObject(picked.toolOutput)) return false;
  const text = ownText(picked.toolOutput);
  return text === undefined || text === picked.input.newText;
}

/** What an event tells beside a tool's input and output and the texts of prompts and answers; `""` for nothing. */
export function ownWords(reading: Pick<Reading, "picked" | "event">): string {
  const { picked } = reading;
  const words = [picked.subagentPrompt, picked.taskSubject, picked.taskText, picked.title, picked.message];
  const told = [...new Set(words.filter((word) => word !== undefined))].join("\n").trim();
  return told === "" ? firstTextOf(reading).trim() : told;
}
