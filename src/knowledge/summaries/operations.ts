import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, scopeFields } from "../../operation/fields.ts";
import { orQueued, waitMs, whenQueued } from "../../operation/long-operation.ts";
import { Summarized } from "./record.ts";

export const summarizeSession = defineOperation({
  id: "summaries.summarize",
  functionId: "session.summarize",
  summary: "Summarise what happened in a session",
  description:
    "Made by the configured language model, or by rules. It replaces the session's earlier summary.",
  http: { method: "POST", path: "/summarize", success: 200, otherwise: whenQueued },
  cli: {
    command: "session summarize <sessionId>",
    examples: ["memsvc session summarize my-session", "memsvc session summarize my-session --json"],
  },
  input: z.object({ sessionId: Id.describe("session to summarise, ended or not"), ...scopeFields }),
  output: orQueued(Summarized),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.summaries.request(input, waitMs(core, caller)),
});

export const summaryOperations = [summarizeSession];
