import { isCarriedOut } from "../../capture/observations/calls/tool-hooks.ts";
import { toolKind } from "../../capture/observations/calls/tool-kind.ts";
import { commandKinds, onlyObserves } from "../../capture/observations/commands/command-kind.ts";
import { reportsFailure } from "../../capture/observations/outputs/output-lines.ts";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";

/*
 * Which failures of a session were overcome later: those of a command by a success of the same command (`git push`, or
 * any run of the tests), since every command has the same tool; those of another tool by its next success.
 */

type Call = Pick<SessionObservation, "type" | "hookType" | "toolName" | "title" | "subtitle" | "facts">;

/** The command in a tool's input on one line, unless it is the whole input. */
const commandInInput = /(?:^|, )(?:command|cmd|script): (.*?)(?:, \w{2,30}: |$)/u;

/** The failures of `calls` (given in the order of time) that no success followed. */
export function failuresLeft<Failure extends Call>(
  calls: readonly Call[],
  failures: readonly Failure[],
): Set<Failure> {
  const lastSuccess = new Map(
    calls.flatMap((call, at) => (isSuccess(call) ? whatRan(call).map((ran) => [ran, at] as const) : [])),
  );
  const places = new Map(calls.map((call, at) => [call, at]));
  return new Set(
    failures.filter((failure) => {
      const at = places.get(failure) ?? 0;
      return !comparedBy(failure).some((ran) => (lastSuccess.get(ran) ?? -1) > at);
    }),
  );
}

/** The exit code of a failed command is noted as a fact, and so is what tests reported, which a pipe may hide. */
function isSuccess(call: Call): boolean {
  if (call.type === "error" || !isCarriedOut(call)) return false;
  return (
    textsAfterLabel("exit code", call.facts).every((code) => code === "0") &&
    !textsAfterLabel("tests", call.facts).some(reportsFailure)
  );
}

/** What a failure is compared by: the commands that it ran, else its tool. */
function comparedBy(call: Call): string[] {
  const [tool, ...commands] = whatRan(call);
  return commands.length > 0 || tool === undefined ? commands : [tool];
}

/** The tool of a call, then the kinds of the commands that it ran. */
function whatRan({ toolName, type, title, subtitle, facts }: Call): string[] {
  if (toolName === null) return [];
  const kinds = commandKinds(type === "command_run" ? title : commandIn(toolName, subtitle ?? ""));
  const works = kinds.filter((kind) => !onlyObserves(kind));
  const tests = textsAfterLabel("tests", facts).length > 0 ? ["tests"] : [];
  const ran = [...(works.length > 0 ? works : kinds), ...tests];
  return [toolName, ...ran.map((kind) => `${toolName}\n${kind}`)];
}

function commandIn(toolName: string, input: string): string {
  return commandInInput.exec(input)?.[1] ?? (toolKind(toolName) === "command_run" ? input : "");
}
