import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { textOfBlocks } from "./blocks.ts";
import { CodexCopies } from "./codex-copies.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The transcripts of Codex ("rollouts"): each line is `{timestamp, type, payload}`. What the model was sent and has
 * answered are `response_item`s. Of the user's messages among them some are context that Codex itself has written, so
 * prompts are taken from its events. Tools are given the names that its hooks give them.
 */

export const codex: TranscriptFormat = {
  agent: "codex",
  recognises: ({ type, payload }) => type === "session_meta" && isText(objectOf(payload).id),
  translator: () => {
    let thread: Thread | undefined;
    const openCalls: OpenCalls = new Set();
    return (line) => {
      const { type, payload, timestamp } = line;
      const said = objectOf(payload);
      if (thread === undefined) {
        thread = threadOf(said);
        return [sessionLine({ sessionId: thread.session, cwd: said.cwd, timestamp })];
      }
      const origin = thread.copies.originOf(line);
      // What a sub-agent copied is told by the session's own transcript.
      if (origin !== undefined && thread.isSubagent) return [];
      const facts = {
        timestamp,
        ...(thread.isSubagent ? { isSidechain: true, agentId: thread.id } : {}),
        ...(origin === undefined ? {} : { forkedFrom: { sessionId: origin, isRetimed: true } }),
      };
      if (type === "response_item") return itemLines(said, facts, openCalls);
      if (type === "event_msg") return eventLines(said, facts, openCalls);
      return type === "compacted" ? summaryLine(said.message, facts) : [];
    };
  },
};

/** Ids of the model's calls without a result so far. */
type OpenCalls = Set<string>;

interface Thread {
  readonly id: string;
  /** The thread that the user talks to. */
  readonly session: string;
  /** The transcript of a sub-agent is a file of its own. */
  readonly isSubagent: boolean;
  readonly copies: CodexCopies;
}

/** The thread that a transcript with this first line belongs to; older versions only name a sub-agent's parent. */
function threadOf(said: Fields): Thread {
  const id = textOf(said.id);
  const spawned = objectOf(objectOf(objectOf(said.source).subagent).thread_spawn);
  const session = textOf(said.session_id) || textOf(spawned.parent_thread_id) || id;
  return { id, session, isSubagent: session !== id, copies: new CodexCopies(id) };
}

function itemLines(item: Fields, facts: Fields, openCalls: OpenCalls): readonly Fields[] {
  const { type, call_id: id } = item;
  switch (type) {
    case "message":
      return item.role === "assistant" ? textLine("assistant", textOfBlocks(item.content), facts) : [];
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const call = calledTool(item);
      if (call === undefined) return [];
      openCalls.add(textOf(id));
      return [callLine({ id, ...call }, facts)];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return openCalls.delete(textOf(id)) ? [resultLine(id, outcomeOf(item.output), facts)] : [];
    default:
      return [];
  }
}

/** Older versions tell a prompt as `user_message`, later ones as an item. */
function eventLines({ type, message, item }: Fields, facts: Fields, openCalls: OpenCalls): readonly Fields[] {
  if (type === "user_message") return textLine("user", message, facts);
  if (type !== "item_completed") return [];
  const { type: kind, id, content, command, exit_code: exitCode, aggregated_output: output } = objectOf(item);
  if (kind === "UserMessage") return textLine("user", textOfBlocks(content), facts);
  // The command of a script, which is no call of the model's own.
  if (kind !== "CommandExecution" || openCalls.has(textOf(id))) return [];
  const call = { id, name: "Bash", input: { command: commandOf(command) } };
  return [callLine(call, facts), resultLine(id, { tool_response: output, exit_code: exitCode }, facts)];
}

const shellTools: ReadonlySet<unknown> = new Set([
  "exec_command",
  "shell",
  "shell_command",
  "container.exec",
]);

/** Undefined for a script, whose calls are told one by one. */
function calledTool({ type, name, namespace, arguments: args, input, action }: Fields) {
  if (type === "local_shell_call")
    return { name: "Bash", input: { command: commandOf(objectOf(action).command) } };
  if (type === "custom_tool_call")
    return name === "exec" ? undefined : { name, input: name === "apply_patch" ? { command: input } : input };
  const given = recordIn(textOf(args)) ?? args;
  if (shellTools.has(name)) {
    const { cmd, command } = objectOf(given);
    return { name: "Bash", input: { command: commandOf(cmd ?? command) } };
  }
  return { name: nameOfTool(textOf(namespace), textOf(name)), input: given };
}

/** The namespace of an MCP server is a part of its tools' names. */
function nameOfTool(namespace: string, name: string): string {
  if (!namespace.startsWith("mcp__")) return name;
  return namespace.endsWith("__") ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** The command that was given to a shell, which older versions name with its flags. */
function commandOf(command: unknown): unknown {
  if (!Array.isArray(command)) return command;
  const [, flag, script] = command;
  return command.length === 3 && /^-l?c$/.test(textOf(flag)) ? script : command.join(" ");
}

/** What precedes the output of a command, in the words of several versions. */
const outputHead =
  /^(?:(?:Command: |Chunk ID: |Exit code: |Wall time: |Process exited |Process running |Original token count: |Total output lines: )[^\n]*\n)+Output:\n/;
const exitIn = /(?:^|\n)(?:Exit code: |Process exited with code )(-?\d{1,10})\n/;

function outcomeOf(output: unknown): Fields {
  const told = objectOf(output).content ?? output;
  const text = textOfBlocks(told);
  const { output: printed, metadata } = recordIn(text) ?? {};
  if (isText(printed) && metadata !== undefined)
    return { tool_response: printed, exit_code: objectOf(metadata).exit_code };
  const head = outputHead.exec(text)?.[0];
  if (head !== undefined) {
    const [, exitCode] = exitIn.exec(head) ?? [];
    return {
      tool_response: text.slice(head.length),
      ...(exitCode === undefined ? {} : { exit_code: Number(exitCode) }),
    };
  }
  return refusal.test(text) ? { error: text } : { tool_response: text };
}

const refusal =
  /^(?:apply_patch verification failed|unsupported (?:custom tool )?call|failed to parse function)/;
