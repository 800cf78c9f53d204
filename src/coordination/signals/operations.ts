import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { ExpiresInMs, Id, JsonObject, limit, Offset, pageFields, Text } from "../../operation/fields.ts";
import { roomFor } from "../../operation/result-room.ts";
import { Signal, SignalType } from "./record.ts";

export const sendSignal = defineOperation({
  id: "signals.send",
  functionId: "signal.send",
  summary: "Send a message to another agent, or to all agents",
  description:
    "A reply belongs to the thread of the signal that it answers. Without a recipient, everybody sees it.",
  http: { method: "POST", path: "/signals/send", success: 201 },
  cli: {
    command: "signal send <content...>",
    examples: [
      'memsvc signal send "The schema is ready" --from planner --to builder',
      'memsvc signal send "Deploy is frozen" --from ops --type alert --expires-in-ms 3600000',
    ],
  },
  mcp: {
    tool: "memory_signal_send",
    effects: "write",
    title: "Send a signal",
    description:
      "Send a message to another agent, or to all agents. Use it to hand over work, to ask, or to warn.",
    arguments: { from: true, content: true, to: true, type: true, replyTo: true, threadId: true },
  },
  input: z.object({
    from: Id.describe("agent that sends it"),
    content: Text.describe("what it says"),
    to: Id.optional().describe("recipient; without one, or with *, everybody, also for a reply"),
    type: SignalType.default("info").describe("kind of message"),
    threadId: Id.optional().describe("thread that it belongs to (default: a new one)"),
    replyTo: Id.optional().describe("signal that it answers; the reply joins its thread"),
    metadata: JsonObject.optional().describe("further data, as a JSON object"),
    expiresInMs: ExpiresInMs.optional().describe("milliseconds after which it is no longer shown"),
  }),
  output: z.object({ signal: Signal.describe("the signal as stored") }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input, caller) => ({ signal: await core.signals.send(input, caller) }),
});

export const readSignals = defineOperation({
  id: "signals.read",
  summary: "Show an agent's signals, newest first, and mark them as read",
  description:
    "Shows signals to it, from it, and broadcasts, as they were before this call; with peek they stay unread.",
  http: { method: "GET", path: "/signals", success: 200 },
  cli: {
    command: "signal read <agentId>",
    examples: ["memsvc signal read builder --unread-only", "memsvc signal read builder --peek --json"],
  },
  mcp: {
    tool: "memory_signal_read",
    effects: "write",
    idempotent: true,
    title: "Read signals",
    description:
      "Show an agent's messages, newest first, and mark them as read. Use it at the start of work, and when you wait for others.",
    arguments: { agentId: true, unreadOnly: true, threadId: true, limit: true },
  },
  input: z.object({
    agentId: Id.describe("agent that reads"),
    unreadOnly: z.boolean().optional().describe("only signals that it has not read"),
    threadId: Id.optional().describe("only signals of this thread"),
    type: SignalType.optional().describe("only signals of this kind"),
    peek: z.boolean().optional().describe("leave them unread"),
    limit: limit(50, 500).describe("maximum number"),
    offset: Offset.describe("signals to skip"),
  }),
  output: z.object({
    signals: z.array(Signal).describe("newest first"),
    ...pageFields,
    unread: z.number().int().describe("all signals that the agent had not read before this call"),
    truncated: z
      .boolean()
      .optional()
      .describe("true when the rest did not fit into the tool's result and stays unread"),
  }),
  errors: ["invalid_input"],
  // The answer is limited to the room of a tool's result: signals that are cut off later would count as read
  // although nobody has seen them.
  run: (core, input, caller) => core.signals.read(input, roomFor(core, caller)),
});

export const signalOperations = [sendSignal, readSignals];
