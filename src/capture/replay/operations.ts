import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  Id,
  int,
  limit,
  Offset,
  Path,
  ProjectName,
  pageFields,
  scopeFields,
} from "../../operation/fields.ts";
import { Session } from "../sessions/record.ts";
import { Imported, mostFiles } from "./answers.ts";
import { Timeline } from "./record.ts";

export const replaySessions = defineOperation({
  id: "replay.sessions",
  summary: "List the sessions that can be replayed",
  http: { method: "GET", path: "/replay/sessions", success: 200 },
  cli: {
    command: "replay sessions",
    examples: ["memsvc replay sessions", "memsvc replay sessions --project shop"],
  },
  input: z.object({
    project: ProjectName.optional().describe("only sessions of this project"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("sessions to skip"),
    ...scopeFields,
  }),
  output: z.object({
    sessions: z.array(Session).describe("those with at least one observation, newest first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.sessions.list({ ...input, observed: true }),
});

export const loadReplay = defineOperation({
  id: "replay.load",
  summary: "Load a session as a timeline of its events",
  http: { method: "GET", path: "/replay/load", success: 200 },
  cli: {
    command: "replay load <sessionId>",
    examples: ["memsvc replay load my-session", "memsvc replay load my-session --json"],
  },
  input: z.object({ sessionId: Id.describe("session to replay"), ...scopeFields }),
  output: z.object({
    timeline: Timeline.describe("its events, at most 10,000"),
    session: Session.describe("the session itself"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.replay.load(input),
});

export const importTranscripts = defineOperation({
  id: "replay.import",
  functionId: "store.import",
  summary: "Import transcripts of agents as sessions",
  description:
    "Takes a .jsonl file or a folder of them, written by Claude Code, Codex, Copilot CLI, Droid, Gemini CLI, Grok Build, Kimi Code, Pi or Qwen Code, the sessions of Cline, the tasks of Cline, Roo Code and Kilo Code in editors, the chats of VS Code, or the database of Cursor, OpenCode or Kilo Code, each session of which counts as a transcript. Importing a transcript again adds only what is new in it; what was forgotten here is not imported.",
  http: { method: "POST", path: "/replay/import-jsonl", success: 202 },
  cli: {
    command: "replay import [path]",
    examples: [
      "memsvc replay import",
      "memsvc replay import --all-agents",
      "memsvc replay import ~/.claude/projects/-home-me-shop --project shop",
      "memsvc replay import ~/.config/Code/User",
    ],
  },
  input: z.object({
    path: Path.optional().describe(
      "a transcript or database, or a folder of them, of Claude Code, Cline, Codex, Copilot CLI, Cursor, Droid, Gemini CLI, Grok Build, Kilo Code, Kimi Code, OpenCode, Pi, Qwen Code, Roo Code or VS Code (default: ~/.claude/projects)",
    ),
    allAgents: z
      .boolean()
      .optional()
      .describe("the transcripts of all other agents that are found in their usual places, too"),
    maxFiles: int(1, mostFiles)
      .default(200)
      .describe("maximum number of transcripts; the most recently changed are taken"),
    project: ProjectName.optional().describe(
      "project of all sessions (default: the one that each transcript names)",
    ),
    agentId: scopeFields.agentId.describe("agent of the sessions that are made"),
  }),
  output: Imported,
  errors: ["invalid_input", "forbidden", "not_found"],
  run: (core, input, { cwd }) => core.replay.import({ ...input, cwd }),
});

export const replayOperations = [replaySessions, loadReplay, importTranscripts];
