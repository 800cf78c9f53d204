import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  limit,
  Name,
  Offset,
  Path,
  ProjectName,
  pageFields,
  scopeFields,
  str,
  whole,
} from "../../operation/fields.ts";
import { Session, SessionStatus } from "./record.ts";

export const startSession = defineOperation({
  id: "sessions.start",
  functionId: "session.start",
  summary: "Open or resume a session, and get its context block",
  http: { method: "POST", path: "/session/start", success: 200 },
  cli: {
    command: "session start [sessionId]",
    examples: ["memsvc session start my-session", 'memsvc session start --title "fix the login" --json'],
  },
  input: z.object({
    sessionId: Id.describe("the client's own id for the conversation"),
    project: ProjectName.describe("project name or path"),
    cwd: Path.describe("working directory; memories about files near it rank higher"),
    title: str(100_000).optional().describe("what the session is about; cut at 200 characters"),
    model: Name.optional().describe("model that the agent runs on"),
    includeOwn: z
      .boolean()
      .optional()
      .describe(
        "include what the session itself did so far, for example after its conversation was compacted",
      ),
    maxCharacters: whole(1)
      .optional()
      .describe("UTF-16 code units that the context may have at most, whatever the token budget"),
    maxBytes: whole(1)
      .optional()
      .describe("bytes of UTF-8 that the context may have at most, whatever the token budget"),
    ...scopeFields,
  }),
  output: z.object({
    session: Session.describe("the session as stored"),
    context: z.string().describe("block of recalled memories, empty when there is nothing to recall"),
    tokenCount: z.number().int().describe("estimated tokens of the context"),
    resumed: z.boolean().describe("true when the session existed before"),
  }),
  errors: ["invalid_input", "conflict"],
  run: async (core, input) => {
    const started = await core.sessions.start(input);
    const block = await core.context.atSessionStart(started.session, input);
    return { ...started, context: block.context, tokenCount: block.tokenCount };
  },
});

export const endSession = defineOperation({
  id: "sessions.end",
  functionId: "session.end",
  summary: "End a session",
  http: { method: "POST", path: "/session/end", success: 200 },
  cli: {
    command: "session end <sessionId>",
    examples: ["memsvc session end my-session", "memsvc session end my-session --json"],
  },
  input: z.object({ sessionId: Id.describe("session to end"), ...scopeFields }),
  output: z.object({ ended: z.boolean().describe("false when it had been completed before") }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.sessions.end(input),
});

export const listSessions = defineOperation({
  id: "sessions.list",
  summary: "List sessions, newest first",
  http: { method: "GET", path: "/sessions", success: 200 },
  cli: {
    command: "session list",
    examples: [
      "memsvc session list",
      "memsvc session list --project shop --status active",
      "memsvc session list --tag codex",
    ],
  },
  mcp: {
    tool: "memory_sessions",
    effects: "read",
    core: true,
    title: "Sessions",
    description:
      "List sessions, newest first, with what they were about. Use it to see recent work, or to find a session's id.",
    arguments: { project: true, status: true, limit: { default: 20 }, agentId: true },
  },
  input: z.object({
    project: ProjectName.optional().describe("only sessions of this project"),
    status: SessionStatus.optional().describe("only sessions in this state"),
    tag: str(200)
      .optional()
      .describe("only sessions with this tag, such as the program of their agent: codex"),
    limit: limit(1_000, 5_000).describe("maximum number"),
    offset: Offset.describe("sessions to skip"),
    ...scopeFields,
  }),
  output: z.object({
    sessions: z.array(Session).describe("by start, newest first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.sessions.list(input),
});

export const sessionOperations = [startSession, endSession, listSessions];
