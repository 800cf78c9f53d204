import type { TestCore } from "../../../test/support/core.ts";
import { observe } from "../../capture/observations/operations.ts";

/* What tests of the context block have in common: one project, and sessions in it. */

export const project = "/home/dev/shop";

/** The session that asks for the block. */
export const asking = { sessionId: "asking", project, cwd: project };

/** So long that a session's title has no room for what stands behind it. */
export const longTask = `Work on ${"one part after the other of ".repeat(5)}the shop.`;

/** Observes an event of a session, a second after what was before. */
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
