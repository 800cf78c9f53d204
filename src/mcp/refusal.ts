import { type ErrorReply, expectedErrorReply } from "../operation/error-reply.ts";
import { toolHint } from "./tool-hint.ts";
import type { ToolSet } from "./tools.ts";

/** What an agent is told about a foreseen error, with a hint that names its tools; undefined for all others. */
export function refusalFor(tools: ToolSet, error: unknown): Pick<ErrorReply, "status" | "body"> | undefined {
  const refusal = expectedErrorReply(error);
  if (refusal === undefined) return undefined;
  const { status, body } = refusal;
  const hint = toolHint(refusal.hint, tools);
  return { status, body: hint === undefined ? body : { ...body, hint } };
}
