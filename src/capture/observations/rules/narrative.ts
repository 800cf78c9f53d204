import { isObject } from "../../../json/is-object.ts";
import { countCodePoints, cutCodePoints, tailOf } from "../../../text/code-points.ts";
import { cutText } from "../../../text/cut.ts";
import { inputSummary } from "./input-summary.ts";
import { ownText } from "./json-text.ts";
import type { ParsedEvent } from "./parsed-event.ts";
import { planLine } from "./plan.ts";
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
export function narrativeOf(parsed: ParsedEvent, title: string): string {
  const { picked, prompt, answer } = parsed;
  const isExchange = isConversationTool(picked.toolName);
  if (prompt !== undefined && !isExchange) return cutText(prompt.trim(), longestNarrative);
  const output = shownOutput(parsed, isExchange ? answer : undefined);
  const room = longestNarrative - (output === "" ? 0 : countCodePoints(output) + arrow.length);
  const input = isExchange ? cutText((prompt ?? "").trim(), room) : inputSummary(parsed, Math.max(0, room));
  const parts = [input, output].filter((part) => part !== "");
  if (parts.length > 0) return cutText(parts.join(arrow), longestNarrative);
  return cutText(ownWords(parsed) || title, longestNarrative);
}

function shownOutput(parsed: ParsedEvent, said: string | undefined): string {
  const text =
    (said ?? (echoesInput(parsed) ? "" : parsed.output) ?? "").trim() || (parsed.answer ?? "").trim();
  // Longer than this by code units only when it is so by code points, give or take pairs: measured exactly below.
  if (text.length <= mostShown || countCodePoints(cutCodePoints(text, mostShown + 1)) <= mostShown)
    return text;
  const errors = cutText(parsed.errorLines.join(" | "), longestErrorBlock);
  const kept = `${cutCodePoints(text, outputHead)}${gap}${tailOf(text, outputTail)}`;
  return errors === "" ? kept : `${errors}\n${kept}`;
}

// Edit tools answer with an object that repeats the edit, and what keeps a plan says that it does, or repeats it.
function echoesInput({ type, picked }: ParsedEvent): boolean {
  const input = parsedInput(picked.toolInput);
  if (isObject(input) && planLine(input) !== undefined) return true;
  const edits = type === "file_edit" || type === "file_write";
  if (!edits || !isObject(picked.toolOutput)) return false;
  const text = ownText(picked.toolOutput);
  return text === undefined || text === picked.input.newText;
}

/** What an event tells beside a tool's input and output and the texts of prompts and answers; `""` for nothing. */
export function ownWords(parsed: Pick<ParsedEvent, "picked" | "event">): string {
  const { picked } = parsed;
  const words = [picked.subagentPrompt, picked.taskSubject, picked.taskText, picked.title, picked.message];
  const told = [...new Set(words.filter((word) => word !== undefined))].join("\n").trim();
  return told === "" ? firstTextOf(parsed).trim() : told;
}
