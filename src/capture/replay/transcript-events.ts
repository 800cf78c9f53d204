import { isOwnTool } from "../observations/hooks/own-calls.ts";
import { runsOwnCommand } from "../observations/hooks/own-commands.ts";
import { isAgentNote } from "../observations/prose/agent-notes.ts";
import { summaryOfTranscript } from "../observations/prose/compact-summary.ts";
import {
  type Fields,
  isFromProgram,
  isFromUser,
  isInterruption,
  outcomeOf,
  type TranscriptLine,
  textOf,
  typedCommand,
} from "./transcript-line.ts";

/*
 * Turns the lines of a transcript into the events that hooks would have sent: the user's text is a prompt,
 * the assistant's text the end of a turn, a tool call with its result one event. Text that the program wrote
 * in the place of either (a caveat, an interruption, an API error) is a notification; the summary after a
 * compaction is the assistant's own text; what a sub-agent was told and answered is its start and its stop.
 * As with hooks, calls of memsvc's own tools and commands are ignored.
 */

export interface TranscriptEvent {
  /** The same for the same part of the same line, however often the file is read. */
  readonly key: string;
  /** The key that versions before gave it, and lines of other agents, too. */
  readonly formerKey?: string;
  readonly hookType: string;
  /** Milliseconds since 1970, UTC. */
  readonly timestamp: number;
  readonly data: Fields;
  /** The session that its line was copied from, when a conversation was forked. */
  readonly copiedFrom?: string;
  /** Whether the copy has its own time instead of that of what it copies. */
  readonly isRetimed?: boolean;
  /** Whether hooks may tell the same call with another id, tool and output. */
  readonly isToldOtherwise?: boolean;
}

/** Bounds memory for a transcript that never contains results. */
const mostOpenCalls = 1_000;

export class TranscriptEvents {
  /** Tool calls without a result so far, by their id. */
  readonly #calls = new Map<string, TranscriptEvent>();
  /** Ids of such calls of memsvc's own tools. */
  readonly #ownCalls = new Set<string>();
  #lastTime: number;
  /** Where the current line was copied from, and how hooks tell it. */
  #copied: Pick<TranscriptEvent, "copiedFrom" | "isRetimed" | "isToldOtherwise"> = {};
  /** What the keys of the current line begin with, and what versions before did without. */
  #prefix = "";

  /** `startedAt` is used as the time of lines before the first one that has a time. */
  constructor(startedAt: number) {
    this.#lastTime = startedAt;
  }

  /** The events of a line; `number` identifies lines without an id among those of its agent, which share a file. */
  of(line: TranscriptLine, number: number): TranscriptEvent[] {
    this.#lastTime = line.timestamp ?? this.#lastTime;
    const { copiedFrom, isRetimed } = line;
    this.#copied = {
      ...(copiedFrom === undefined ? {} : { copiedFrom, isRetimed }),
      ...(line.fields.hooksTellOtherwise === true ? { isToldOtherwise: true } : {}),
    };
    if (line.type !== "user" && line.type !== "assistant") return [];
    this.#prefix = line.uuid === undefined ? textOf(agentOf(line).agent_id) : "";
    const lineKey = line.uuid ?? `${this.#prefix}#${number}`;
    const images = line.type === "user" ? line.blocks.filter(({ type }) => type === "image") : [];
    const hasText = line.blocks.some(isSaid);
    return line.blocks.flatMap((block, at) => {
      const key = `${lineKey}:${at}`;
      if (isSaid(block)) {
        // The images of a prompt go with its first text.
        const shown = images.length > 0 && line.blocks.findIndex(isSaid) === at ? { images } : {};
        return [this.#event(key, said(line, textOf(block.text)), shown)];
      }
      if (block.type === "image" && line.type === "user" && !hasText) {
        return [this.#event(key, { hookType: "prompt_submit", data: { images: [block] } })];
      }
      if (block.type === "tool_use") return this.#open(key, line, block);
      if (block.type !== "tool_result" || this.#ownCalls.delete(textOf(block.tool_use_id))) return [];
      return [this.#close(key, line, block)];
    });
  }

  /** The calls that got no result. */
  rest(): TranscriptEvent[] {
    const open = [...this.#calls.values()];
    this.#calls.clear();
    return open;
  }

  #event(key: string, said: { hookType: string; data: Fields }, more: Fields = {}): TranscriptEvent {
    const whole = `${key}:${said.hookType}`;
    return {
      key: whole,
      ...(this.#prefix === "" ? {} : { formerKey: whole.slice(this.#prefix.length) }),
      ...said,
      timestamp: this.#lastTime,
      data: { ...said.data, ...more },
      ...this.#copied,
    };
  }

  #open(key: string, line: TranscriptLine, { id, name, input }: Fields): TranscriptEvent[] {
    if (isOwnTool(name) || runsOwnCommand(textOf(name), input)) {
      if (this.#ownCalls.size < mostOpenCalls) this.#ownCalls.add(textOf(id));
      return [];
    }
    const call = { tool_name: name, tool_input: input, tool_use_id: id, ...agentOf(line) };
    const event = this.#event(key, { hookType: "pre_tool_use", data: call });
    this.#calls.set(textOf(id) || key, event);
    const [oldest] = this.#calls;
    if (this.#calls.size <= mostOpenCalls || oldest === undefined) return [];
    this.#calls.delete(oldest[0]);
    return [oldest[1]];
  }

  #close(key: string, line: TranscriptLine, block: Fields): TranscriptEvent {
    const id = textOf(block.tool_use_id);
    const call = this.#calls.get(id)?.data;
    this.#calls.delete(id);
    const isOnly = line.blocks.filter(({ type }) => type === "tool_result").length === 1;
    const outcome = outcomeOf(block, isOnly ? line.fields.toolUseResult : undefined);
    const hookType = block.is_error === true ? "post_tool_failure" : "post_tool_use";
    // A transcript that continues another one may contain the result of a call that it does not contain.
    const data = call ?? { tool_name: "unknown", tool_use_id: id, ...agentOf(line) };
    return this.#event(key, { hookType, data: { ...data, ...outcome } });
  }
}

function isSaid(block: Fields): boolean {
  return block.type === "text" && textOf(block.text).trim() !== "";
}

function said(line: TranscriptLine, text: string): { hookType: string; data: Fields } {
  const { fields, type } = line;
  const agent = agentOf(line);
  const isSubagent = fields.isSidechain === true;
  if (type === "assistant") {
    if (isFromProgram(fields)) return { hookType: "notification", data: { message: text } };
    const hookType = isSubagent ? "subagent_stop" : "stop";
    return { hookType, data: { last_assistant_message: text, ...agent } };
  }
  if (fields.isCompactSummary === true) {
    return {
      hookType: "stop",
      data: { last_assistant_message: summaryOfTranscript(text), is_compact_summary: true },
    };
  }
  if (!isFromUser(fields) || isInterruption(text) || isAgentNote(text))
    return { hookType: "notification", data: { message: text } };
  return isSubagent
    ? { hookType: "subagent_start", data: { prompt: text, ...agent } }
    : { hookType: "prompt_submit", data: { prompt: typedCommand(text) ?? text } };
}

/** The id of the sub-agent that wrote a line, if one did. */
function agentOf({ fields }: TranscriptLine): Fields {
  return fields.isSidechain === true && typeof fields.agentId === "string"
    ? { agent_id: fields.agentId }
    : {};
}
