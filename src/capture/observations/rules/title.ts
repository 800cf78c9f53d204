import { isObject } from "../../../json/is-object.ts";
import { countCodePoints, cutCodePoints } from "../../../text/code-points.ts";
import { cutText, oneLineOfWords } from "../../../text/cut.ts";
import { firstSentence, sentencesOf } from "../../../text/sentences.ts";
import { firstTextIn, ownText, textOf } from "../calls/json-text.ts";
import { planStepLine } from "../calls/plan-steps.ts";
import { inputLine } from "../calls/tool-input.ts";
import { exitMarkFor } from "../commands/exit-mark.ts";
import { failedTest } from "../outputs/failed-test.ts";
import { isAgentNote, textOfNote } from "../prose/agent-notes.ts";
import { needsNext } from "../prose/short-reply.ts";
import type { ParsedEvent } from "./parsed-event.ts";

const longestTitle = 120;
const longestSentence = 100;
const longestSubtitle = 160;
const longestTestName = 70;
const readOfLine = 2048;

/** The title of an observation: at most 120 code points on one line, never blank. */
export function titleOf(parsed: ParsedEvent): string {
  const title = titleByType(parsed).trim();
  return oneLineOfWords(title === "" ? hookWords(parsed.event.hookType) : title, longestTitle);
}

/** The tool's input on one line of at most 160 code points; undefined without an input. */
export function subtitleOf(parsed: ParsedEvent): string | undefined {
  const line = inputLine(parsed.picked.toolInput, longestSubtitle);
  return line === "" ? undefined : line;
}

/** The first text of an event besides tool input and prompt, for hooks without rules of their own. */
export function firstTextOf({ picked, event }: Pick<ParsedEvent, "picked" | "event">): string {
  const { title, source, message, reason, trigger, customInstructions, stopReason, model } = picked;
  const told = title ?? message ?? source ?? reason ?? customInstructions ?? trigger ?? stopReason ?? model;
  return told ?? firstTextIn(event.data) ?? "";
}

function titleByType(parsed: ParsedEvent): string {
  const { picked, type, said, answer, event } = parsed;
  switch (type) {
    case "conversation":
      return tellingSentence(said ?? answer ?? parsed.output);
    case "error":
      return withRest(`${picked.toolName ?? "Tool"} failed`, toldError(parsed));
    case "command_run":
      return commandTitle(parsed);
    case "file_edit":
      return fileTitle("Edited", parsed);
    case "file_write":
      return fileTitle("Wrote", parsed);
    case "file_read":
      return fileTitle("Read", parsed);
    case "search":
      return `Searched for ${picked.input.pattern ?? anyInput(parsed)}`;
    case "web_fetch":
      return `Fetched ${picked.input.url ?? picked.input.pattern ?? anyInput(parsed)}`;
    case "subagent":
      return subagentTitle(parsed);
    case "task":
      return withRest(
        "Task completed",
        picked.taskSubject ?? firstSentence(picked.taskText ?? picked.taskId ?? "", longestSentence),
      );
    case "notification":
      return withRest(picked.title ?? picked.notificationKind ?? "Notification", noticeOf(picked.message));
    case "image":
      return `Image ${imageName(picked.image ?? "")}`;
    case "other":
      return withRest(hookWords(event.hookType), toldTitle(parsed));
  }
}

/** The error, after the name of the failed test if it is only a comparison of values. */
function toldError({ errorLines: [error = ""], output }: ParsedEvent): string {
  const test = failedTest(error, output);
  return test === undefined ? error : `${cutText(test, longestTestName)}: ${error}`;
}

/**
 * The first sentence; if it says as little as `ok.` or `no, stop.`, with the following ones up to one that
 * says more.
 */
function tellingSentence(text: string): string {
  const first = firstSentence(text, longestSentence);
  // A heading, such as `Done`, is the title of what is below it.
  if (!/\p{P}$/u.test(first) || !needsNext(first)) return first;
  const told: string[] = [];
  for (const sentence of sentencesOf(cutCodePoints(text.trimStart(), 4096))) {
    told.push(sentence);
    if (!needsNext(sentence)) break;
  }
  return oneLineOfWords(told.join(" "), longestSentence);
}

function commandTitle(parsed: ParsedEvent): string {
  const { input, exitCode } = parsed.picked;
  const command = (input.command ?? commandOfOutput(parsed.picked.toolOutput) ?? "").trim();
  const firstLine = command === "" ? withoutCommand(parsed) : withMessage(command);
  const suffix = exitMarkFor(exitCode);
  const room = longestTitle - countCodePoints(suffix);
  const shown =
    countCodePoints(firstLine) <= room
      ? firstLine
      : cutCodePoints(firstLine, readOfLine).replace(stagedFiles, "git add … ");
  return `${oneLineOfWords(shown, room)}${suffix}`;
}

/** The title of a call that names a running command by its id alone, or has another kind of input. */
function withoutCommand(parsed: ParsedEvent): string {
  const input = anyInput(parsed);
  const answer = /^[\w-]*\d[\w-]*$/.test(input) ? answerOf(parsed) : "";
  return answer === "" ? input : withRest(parsed.picked.toolName ?? "", answer);
}

/** The command of a shell in the background whose output was asked for by an id. */
function commandOfOutput(output: unknown): string | undefined {
  return isObject(output) && typeof output.command === "string" ? output.command : undefined;
}

/** `git add` before a commit: the commit shows the files, and its message would be cut off after them. */
const stagedFiles = /\bgit add [^&|;]{0,2000}(?=&& git commit\b)/;

/** `git commit -m "$(cat <<'EOF'`: the message begins on the next line. */
const textFollows = /\$\(cat\s{0,8}<<-?\s{0,8}(["']?)\w{1,60}\1\s{0,8}$/;

/** Comments that a shell skips, above the first line of a command. */
const comments = /^(?:#[^\n]*\n\s*)+/;

/** The command's first line, with the first line of a message that is written into it. */
function withMessage(command: string): string {
  const [first = "", ...rest] = (command.replace(comments, "") || command).split("\n", 20);
  const at = first.search(textFollows);
  const message = at < 0 ? undefined : rest.find((line) => line.trim() !== "")?.trim();
  if (message === undefined) return first;
  const before = first.slice(0, at);
  return `${before}${message}${before.endsWith('"') ? '"' : ""}`;
}

function fileTitle(verb: string, parsed: ParsedEvent): string {
  const { files } = parsed.picked;
  const first = files[0];
  if (first === undefined) return callTitle(verb, parsed);
  const more = files.length > 1 ? ` (+${files.length - 1} more)` : "";
  const room = longestTitle - verb.length - 1 - more.length;
  return `${verb} ${cutText(first, room)}${more}`;
}

/** The title of an event without rules of its own: for a call its tool and input, else the first text. */
function toldTitle(parsed: ParsedEvent): string {
  const { toolName } = parsed.picked;
  return toolName === undefined
    ? firstSentence(firstTextOf(parsed), longestSentence)
    : callTitle(toolName, parsed);
}

function noticeOf(message = ""): string {
  return isAgentNote(message) ? textOfNote(message) : message;
}

/**
 * For a call without files, whatever the tool's name suggests: `create_issue: owner: acme, title: …`; for one without
 * input what it answered.
 */
function callTitle(verb: string, parsed: ParsedEvent): string {
  const { picked } = parsed;
  const tool = picked.toolName?.split("__").at(-1) || verb;
  const told = planStepLine(picked) ?? inputLine(picked.toolInput, longestTitle);
  return withRest(tool, told || answerOf(parsed));
}

/** The first sentence that a tool answered, if that is no data. */
function answerOf({ output }: ParsedEvent): string {
  return isData(output) ? "" : firstSentence(output, longestSentence);
}

function isData(output: string): boolean {
  return /^\s*[[{<]/.test(output);
}

function subagentTitle(parsed: ParsedEvent): string {
  const { picked, answer, output } = parsed;
  const input = isObject(picked.toolInput) ? picked.toolInput : {};
  const kind =
    picked.subagentKind ??
    textOf(input.subagent_type ?? input.agentType ?? input.agent_type ?? input.agent_name);
  // Codex has the task of a sub-agent in `message`.
  const order = picked.input.description ?? ownText(input.message);
  const told = answer ?? picked.subagentPrompt ?? order ?? taskOfOutput(picked.toolOutput);
  // A list of tasks, for one.
  if (told === undefined && isData(output)) return callTitle("Subagent", parsed);
  return withRest(
    kind === "" ? "Subagent" : `Subagent ${kind}`,
    firstSentence(told ?? output, longestSentence),
  );
}

/** What a background task is about whose output was asked for by an id. */
function taskOfOutput(output: unknown): string | undefined {
  return isObject(output) && isObject(output.task) ? ownText(output.task.description) : undefined;
}

function imageName(image: string): string {
  if (/^[0-9a-f]{64}$/i.test(image)) return image.slice(0, 8);
  if (image.startsWith("data:") || image.length > 1024) return "";
  return image.slice(Math.max(image.lastIndexOf("/"), image.lastIndexOf("\\")) + 1);
}

/** `post_tool_use`, `postToolUse` → `Post tool use`. */
function hookWords(hookType: string): string {
  const words = hookType
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\s-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function anyInput({ picked }: ParsedEvent): string {
  return inputLine(picked.toolInput, longestTitle) || (picked.toolName ?? "");
}

function withRest(head: string, rest: string): string {
  return rest.trim() === "" ? head : `${head}: ${rest.trim()}`;
}
