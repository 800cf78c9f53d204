import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { cursorTool } from "./cursor-tool.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The conversations of Cursor, as `composer.ts` gives their lines: a bubble is what the user wrote, what the agent
 * wrote, or a call with its result. Tools are given the names that hooks report, as far as these are known.
 */

export const cursor: TranscriptFormat = {
  agent: "cursor",
  recognises: ({ type }) => type === "cursor.composer",
  translator: () => {
    let own: Fields = {};
    return (line) => {
      if (line.type === "cursor.composer") {
        const { sessionId, cwd, createdAt, agentId } = line;
        own = agentId === undefined ? {} : { isSidechain: true, agentId };
        return [sessionLine({ sessionId, cwd, timestamp: timeOf(createdAt) })];
      }
      const { bubbleId, by, text, createdAt, call } = line;
      const facts = { ...own, timestamp: timeOf(createdAt), uuid: bubbleId };
      if (by === 1) return textLine("user", text, facts);
      const calls =
        call === undefined ? [] : callLines(objectOf(call), { ...facts, uuid: `${bubbleId}:call` });
      return [...textLine("assistant", text, facts), ...calls];
    };
  },
};

/** Later versions write ISO 8601, earlier ones milliseconds since 1970. */
function timeOf(time: unknown): unknown {
  return isText(time) ? time : isoTime(time);
}

const running: ReadonlySet<unknown> = new Set(["loading", "pending", "running", "generating", "streaming"]);

function callLines(call: Fields, facts: Fields): Fields[] {
  const { name, toolCallId, status, rawArgs, params } = call;
  // Some calls failed before they had a name.
  if (!isText(name)) return [];
  const id = textOf(toolCallId) || facts.uuid;
  const input = { ...given(rawArgs), ...given(params) };
  const line = callLine({ id, ...cursorTool(name, input) }, facts);
  if (running.has(status)) return [line];
  const ended = { ...facts, uuid: `${facts.uuid}:end`, hooksTellOtherwise: true };
  return [line, resultLine(id, outcomeOf(call), ended)];
}

/** Inputs and results are objects, or JSON texts of them. */
function given(value: unknown): Fields {
  return isText(value) ? (recordIn(value) ?? {}) : objectOf(value);
}

const refusals: ReadonlySet<unknown> = new Set(["rejected", "cancelled", "skipped"]);

/** No single field tells how a call ended: a refused command, and one that failed, are `completed`, too. */
function outcomeOf({ status, result, error, additionalData }: Fields): Fields {
  const told = given(result);
  const also = objectOf(additionalData).status;
  const { exitCodeV2, exitCode = exitCodeV2, rejected } = told;
  const printed = printedIn(result, told);
  if (typeof exitCode === "number" && rejected !== true) return { tool_response: printed, exitCode };
  const isRefused = rejected === true || refusals.has(status) || refusals.has(also);
  if (isRefused || status === "error" || also === "error") {
    const reason = [given(error).clientVisibleErrorMessage, given(error).modelVisibleErrorMessage, printed];
    return { error: reason.find(isText) ?? (isRefused ? "The user refused it" : "It failed") };
  }
  return { tool_response: printed };
}

const printedFields = ["output", "contents", "content", "text", "result", "message"] as const;

function printedIn(result: unknown, told: Fields): unknown {
  const printed = printedFields.map((field) => told[field]).find((value) => value !== undefined);
  if (printed !== undefined) return printed;
  // Of a change only the names of the contents before and after it are kept.
  const { beforeContentId: _before, afterContentId: _after, ...rest } = told;
  return Object.keys(told).length === 0 ? result : rest;
}
