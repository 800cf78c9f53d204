import { isObject } from "../../../json/is-object.ts";
import { countCodePoints, cutCodePoints, tailOf } from "../../../text/code-points.ts";
import { cutText, wholeWords } from "../../../text/cut.ts";
import { ownText } from "../calls/json-text.ts";
import { planLine } from "../calls/plan.ts";
import { planStepLine } from "../calls/plan-steps.ts";
import { parsedInput } from "../calls/tool-input.ts";
import { isConversationTool, isFileChange } from "../calls/tool-kind.ts";
import { onlyConfirmsChange } from "../outputs/change-confirmation.ts";
import { inputSummary } from "./input-summary.ts";
import { outputArrow } from "./output-arrow.ts";
import type { ParsedEvent } from "./parsed-event.ts";
import { firstTextOf } from "./title.ts";

const longestNarrative = 1000;
const outputHead = 300;
const outputTail = 500;
const mostShown = outputHead + outputTail;
const longestErrorBlock = 110;
const gap = " … ";

/**
 * The narrative of an event, at most 1 000 code points: the prompt; else the input and the output (or the
 * assistant's text). A long output is reduced to its first 300 and last 500 code points, after its error
 * lines.
 */
export function narrativeOf(parsed: ParsedEvent, title: string): string {
  const { picked, prompt, answer } = parsed;
  const step = planStepLine(picked);
  if (step !== undefined)
    return cutText([step, picked.input.description ?? ""].join("\n").trim(), longestNarrative);
  const isExchange = isConversationTool(picked.toolName);
  if (prompt !== undefined && !isExchange) return cutText(prompt.trim(), longestNarrative);
  const output = shownOutput(parsed, isExchange ? answer : undefined);
  const room = longestNarrative - (output === "" ? 0 : countCodePoints(output) + outputArrow.length);
  const input = isExchange ? cutText((prompt ?? "").trim(), room) : inputSummary(parsed, Math.max(0, room));
  const parts = [input, output].filter((part) => part !== "");
  if (parts.length > 0) return cutText(parts.join(outputArrow), longestNarrative);
  return cutText(ownWords(parsed) || title, longestNarrative);
}

function shownOutput(parsed: ParsedEvent, said: string | undefined): string {
  const text = (said ?? (echoesInput(parsed) ? "" : parsed.output)).trim() || (parsed.answer ?? "").trim();
  // A cheap check first: code points are only counted if the text may be too long.
  if (text.length <= mostShown || countCodePoints(cutCodePoints(text, mostShown + 1)) <= mostShown)
    return text;
  const errors = cutText(parsed.errorLines.join(" | "), longestErrorBlock);
  const head = cutCodePoints(text, outputHead);
  const tail = tailOf(text, outputTail);
  const kept = `${wholeWords(head, text[head.length])}${gap}${fromWholeWord(tail, text[text.length - tail.length - 1])}`;
  return errors === "" ? kept : `${errors}\n${kept}`;
}

/** The end of a text, without the word that the cut after `previous` splits. */
function fromWholeWord(tail: string, previous = " "): string {
  return /\s/.test(previous) ? tail.trimStart() : tail.replace(/^\S{1,40}(?=\s)/, "").trimStart();
}

// The output of an edit tool is an object that repeats the edit, or it confirms it; the output of a planning tool repeats
// or confirms the plan; that of a call that goes on in the background repeats the order.
function echoesInput(parsed: ParsedEvent): boolean {
  const { picked, output } = parsed;
  const input = parsedInput(picked.toolInput);
  if (isObject(input) && (planLine(input) !== undefined || Object.values(input).includes(output)))
    return true;
  if (!isFileChange(parsed)) return false;
  if (onlyConfirmsChange(output)) return true;
  if (!isObject(picked.toolOutput)) return false;
  const text = ownText(picked.toolOutput);
  return text === undefined || text === picked.input.newText;
}

/** The text of an event that is neither tool input or output, nor a prompt or an answer; `""` for none. */
export function ownWords(parsed: Pick<ParsedEvent, "picked" | "event">): string {
  const { picked } = parsed;
  const words = [picked.subagentPrompt, picked.taskSubject, picked.taskText, picked.title, picked.message];
  const told = [...new Set(words.filter((word) => word !== undefined))].join("\n").trim();
  return told === "" ? firstTextOf(parsed).trim() : told;
}
