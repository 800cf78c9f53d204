import { endsCodexCommand, endsCopilotTurn } from "../../capture/observations/hooks/claude-hooks.ts";
import { endsDroidTurn } from "../../capture/observations/hooks/droid-hooks.ts";
import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { type ObserveInput, observeInputFrom } from "../../capture/observations/hooks/hook-payload.ts";
import { endsKimiTurn } from "../../capture/observations/hooks/kimi-hooks.ts";
import { isOwnCall } from "../../capture/observations/hooks/own-calls.ts";
import { cutAgentId } from "../../config/agent-id.ts";
import { isObject } from "../../json/is-object.ts";
import { projectNameFor } from "../location/project-name.ts";
import { workingDirectory } from "../location/working-directory.ts";
import { handleClosedOutput } from "../terminal/closed-output.ts";
import { readStdin } from "../terminal/stdin.ts";
import { captureForAgent, hookBehaviourOf } from "./hook-behaviour.ts";
import { type ObserveFlags, readObserveFlags } from "./observe-flags.ts";
import { failedOutcome, type ObserveOutcome } from "./observe-outcome.ts";
import { type ObserveTarget, openTarget } from "./observe-target.ts";
import type { TranscriptRead } from "./transcript-read.ts";
import { wholeObjectCheck } from "./whole-object.ts";

/*
 * `memsvc observe`, as hooks call it. With a running daemon it costs one POST and loads nothing else. If there is no
 * daemon or it does not answer, this process writes the event to the store, so that none is lost. Hooks must never fail
 * their agent: the exit code is 0 whatever happens, unless --strict asks for the real one.
 */

/** The outcome for input that is not an event. */
function skipped(reason: string): ObserveOutcome {
  return { exit: 0, answer: JSON.stringify({ success: true, skipped: true, reason }) };
}

/** Handles the arguments; undefined if this path does not understand them. */
export async function observeQuickly(args: readonly string[]): Promise<number | undefined> {
  const flags = await readObserveFlags(args);
  return flags && captureStdin(flags);
}

/** Captures the events on stdin and prints the outcomes; returns the exit code. */
export async function captureStdin(flags: ObserveFlags): Promise<number> {
  const outcomes = await observeStdin(flags);
  for (const { answer, reply, problem, exit } of outcomes) {
    const shown = flags.json ? answer : reply;
    const told = flags.quiet && exit === 0 ? undefined : problem;
    if (shown === undefined && told === undefined) continue;
    handleClosedOutput(flags.strict ? 1 : 0);
    if (shown !== undefined) process.stdout.write(`${shown}\n`);
    if (told !== undefined) process.stderr.write(`memsvc observe: ${told}\n`);
  }
  const exit = flags.strict ? Math.max(0, ...outcomes.map((outcome) => outcome.exit)) : 0;
  // Exits at once, because the agent waits for this process and unfinished work would keep it alive.
  if (outcomes.some(({ isLate }) => isLate)) process.exit(exit);
  return exit;
}

/** Turns every failure into an outcome; only --strict may turn it into an exit code. */
async function observeStdin(flags: ObserveFlags): Promise<ObserveOutcome[]> {
  try {
    const isOneEvent = flags.hook !== undefined && !flags.batch;
    return await observeText(await readStdin(isOneEvent ? wholeObjectCheck() : () => false), flags);
  } catch (error) {
    return [failedOutcome(error, "nothing was captured")];
  }
}

async function observeText(text: string, flags: ObserveFlags): Promise<ObserveOutcome[]> {
  const lines = flags.batch ? text.split("\n") : [text];
  if (text.trim() === "")
    return [{ exit: 2, problem: "nothing on stdin; pipe one event as JSON, or NDJSON with --batch" }];
  const target = openTarget(flags);
  const outcomes: ObserveOutcome[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const ofLine = await observeLine(line, target, flags.hook);
    outcomes.push(...(flags.batch ? ofLine.map((outcome) => atLine(at + 1, outcome)) : ofLine));
  }
  const hindrance = await target.close();
  return hindrance === undefined ? outcomes : [...outcomes, { exit: 0, problem: hindrance }];
}

/** Adds the line number to the problem of one event among several. */
function atLine(number: number, { problem, ...outcome }: ObserveOutcome): ObserveOutcome {
  return problem === undefined ? outcome : { ...outcome, problem: `line ${number}: ${problem}` };
}

async function observeLine(
  line: string,
  target: ObserveTarget,
  hook: string | undefined,
): Promise<ObserveOutcome[]> {
  let payload: unknown;
  try {
    payload = JSON.parse(line);
  } catch {
    return [{ exit: 2, problem: "the event is not valid JSON; nothing was captured" }];
  }
  if (!isObject(payload))
    return [{ exit: 2, problem: "an event must be a JSON object; nothing was captured" }];
  const read = await readTranscript(payload);
  if (read === undefined) return [await observeOne(payload, line, target, hook)];
  const { payloads, failure } = read;
  const outcomes = failure === undefined ? [] : [failure];
  for (const one of payloads) outcomes.push(await observeOne(one, JSON.stringify(one), target, hook));
  return outcomes;
}

/** Reads the transcript of an agent whose hooks leave something out of the event; undefined for others. */
async function readTranscript(payload: Payload): Promise<TranscriptRead | undefined> {
  if (endsDroidTurn(payload)) return (await import("./droid-turn.ts")).turnOfDroid(payload);
  if (endsCodexCommand(payload)) return (await import("./codex-command.ts")).commandOfCodex(payload);
  if (endsCopilotTurn(payload)) return (await import("./copilot-turn.ts")).turnOfCopilot(payload);
  if (endsKimiTurn(payload)) return (await import("./kimi-turn.ts")).turnOfKimi(payload);
  return undefined;
}

async function observeOne(
  payload: Payload,
  line: string,
  target: ObserveTarget,
  hook: string | undefined,
): Promise<ObserveOutcome> {
  const read = observeInputFrom(payload, {
    now: () => new Date(),
    projectOf: (cwd) => projectNameFor(cwd, target.setting("MEMSVC_PROJECT_NAME")),
    fallbackCwd: workingDirectory(),
  });
  if (read.kind === "unrecognised") return { exit: 2, problem: `${read.reason}; nothing was captured` };
  if (read.kind === "nothing") return skipped(read.reason);
  if (isOwnCall(read.input))
    return skipped("a call of memsvc's own tools, which store what it gives, or a look-up of tools");
  if (await isOwnRun(line, read.input))
    return skipped("a command of memsvc's own, which stores what it gives");
  const input = withAgent(read.input, target.setting("AGENT_ID"));
  const agent = hookBehaviourOf(hook, read.agent);
  return agent === undefined ? target.send("observe", input) : captureForAgent(agent, input, target);
}

/** The program's name as part of a command; as a folder's name it would be in every event of work on memsvc itself. */
const ownProgram = /memsvc(?:\.\w{1,4})?\s|"memsvc"/;

/** The exact check takes time to load, and few events mention the program at all. */
async function isOwnRun(line: string, input: ObserveInput): Promise<boolean> {
  if (!ownProgram.test(line)) return false;
  const ownCommands = await import("../../capture/observations/hooks/own-commands.ts");
  return ownCommands.isOwnRun(input);
}

function withAgent(input: ObserveInput, agentId: string | undefined): ObserveInput {
  return input.agentId !== undefined || agentId === undefined
    ? input
    : { ...input, agentId: cutAgentId(agentId) };
}
