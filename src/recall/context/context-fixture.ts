import type { TestCore } from "../../../test/support/core.ts";
import { observe } from "../../capture/observations/operations.ts";

/* Shared by tests of the context block: a project, and sessions in it. */

export const project = "/home/dev/shop";

/** The session that asks for the block. */
export const asking = { sessionId: "asking", project, cwd: project };

/** A task so long that a session's title cuts off its end. */
export const longTask = `Work on ${"one part after the other of ".repeat(5)}the shop.`;

/** Moves the clock by a second and observes an event of a session. */
export function eventIn(memsvc: TestCore, sessionId: string, hookType: string, data: unknown) {
  memsvc.advance(1_000);
  const timestamp = new Date(memsvc.now()).toISOString();
  return memsvc.call(observe, { sessionId, project, cwd: project, hookType, timestamp, data });
}

export function failureIn(memsvc: TestCore, sessionId: string, error: string) {
  return eventIn(memsvc, sessionId, "post_tool_failure", {
    toolName: "Bash",
    toolInput: { command: "x" },
    error,
  });
}
