import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import type { Fields } from "../transcript-line.ts";

/* The results of calls in the words of Cline's extension and its offspring, as several versions of them tell them. */

/** Roo Code tells failures as JSON, with what the user wrote when denying a call. */
export function deniedWith(result: string): string | undefined {
  const { status, feedback } = recordIn(result) ?? {};
  return (status === "denied" || status === "guidance" || status === "approved") && isText(feedback)
    ? feedback
    : undefined;
}

/** The outcome of a call in the fields with which a hook reports it. */
export function outcomeOfResult(result: string, isError: boolean): Fields {
  const { status, error, message, feedback } = recordIn(result) ?? {};
  if (status === "error" || status === "denied") return { error: [error, feedback, message].find(isText) };
  const failure = failed.exec(result)?.[1] ?? (refused.test(result) ? result : undefined);
  if (failure !== undefined) return { error: failure };
  return isError ? { error: result } : commandOutcome(result);
}

const failed = /^The tool execution failed with the following error:\n<error>\n?([\s\S]*?)\n?<\/error>/;
const refused =
  /^(?:The user denied this operation|Tool \[[\w-]+\] was not executed|Unable to apply diff to file|Missing value for required parameter|Error: )/;

const commandEnds: readonly RegExp[] = [
  // Cline.
  /^Command (?:executed successfully \(exit code (?<code>0)\)|failed with exit code (?<failure>-?\d{1,10}))\.(?:\nOutput:\n?)?/,
  /^Command executed\.(?:\nOutput:\n?)?/,
  // Roo Code and Kilo Code.
  /^Command executed in (?:terminal )?[^\n]{0,200}'[^\n]{0,4096}'\. (?:Command execution was not successful[^\n]{0,200}\n)?Exit code: (?:(?<code>-?\d{1,10})|[^\n]{0,100})\n(?:Output:\n?)?/,
];

function commandOutcome(result: string): Fields {
  for (const end of commandEnds) {
    const match = end.exec(result);
    if (match === null) continue;
    const { code, failure } = match.groups ?? {};
    const exitCode = code ?? failure;
    return {
      tool_response: result.slice(match[0].length),
      ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    };
  }
  return { tool_response: result };
}
