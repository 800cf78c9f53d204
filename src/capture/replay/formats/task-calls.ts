import { objectOf, textOf } from "../transcript-line.ts";
import { knownCall } from "./task-call.ts";

/** A call in a task of Cline's extension or its offspring. */
export interface TaskCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** A call as the rest of memsvc knows it. */
export interface KnownCall {
  readonly id: string;
  readonly name: unknown;
  readonly input: unknown;
}

/** Tools with which a model speaks to the user, and the field with what it says. */
const speech: ReadonlyMap<string, string> = new Map([
  ["attempt_completion", "result"],
  ["ask_followup_question", "question"],
  ["plan_mode_respond", "response"],
  ["plan_mode_response", "response"],
]);

/** What a model says to the user with a call; undefined for any other call. */
export function saidWith({ tool, input }: TaskCall): string | undefined {
  const field = speech.get(tool);
  return field === undefined ? undefined : textOf(objectOf(input)[field]);
}

/** Cline's name of an MCP tool that a model calls by itself: a random key in place of the server, which the result names. */
const keyedTool = /^(.{1,100}?)0mcp0(.+)$/;
const namedServer = /^\[use_mcp_tool for '([^'\n]{1,200})'/;

/** Whether only its result tells whose tool was called. */
export function hasKeyedServer({ tool }: TaskCall): boolean {
  return keyedTool.test(tool);
}

/** A call with the name and fields of which it is known what they do; `heading` is that of its result. */
export function asKnown({ id, tool, input }: TaskCall, heading = ""): KnownCall {
  const [, key, name] = keyedTool.exec(tool) ?? [];
  const server = namedServer.exec(heading)?.[1] ?? key;
  return {
    id,
    ...(name === undefined ? knownCall(tool, input) : { name: `mcp__${server}__${name}`, input }),
  };
}

/** The calls without a result so far. Results name them by their id, or only by their tool. */
export class OpenTaskCalls {
  readonly #calls: TaskCall[] = [];

  add(call: TaskCall): void {
    this.#calls.push(call);
  }

  take(id: unknown): TaskCall | undefined {
    return this.#takeAt(this.#calls.findIndex((call) => call.id === id));
  }

  /** The first call of a tool. */
  takeOf(tool: string): TaskCall | undefined {
    const isOf = (call: TaskCall) => call.tool === tool || (tool === "use_mcp_tool" && hasKeyedServer(call));
    return this.#takeAt(this.#calls.findIndex(isOf));
  }

  #takeAt(index: number): TaskCall | undefined {
    return index < 0 ? undefined : this.#calls.splice(index, 1)[0];
  }
}
