import { Chalk } from "chalk";
import { expect, test } from "vitest";
import type { Session } from "../../capture/sessions/record.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { observationDetails, renderSessions } from "./sessions.ts";

const ignored = () => {};
const terminal: Terminal = {
  ...{ isInteractive: false, isForPeople: true, columns: 80, paint: new Chalk({ level: 0 }) },
  ...{ print: ignored, say: ignored, complain: ignored },
};
const timestamp = "2020-03-01T12:30:15.000Z";
const observation: Parameters<typeof observationDetails>[0] = {
  ...{
    id: "obs_1",
    sessionId: "s1",
    timestamp,
    receivedAt: timestamp,
    hookType: "stop",
    type: "conversation",
  },
  ...{ title: "Done", narrative: "Done", facts: [], concepts: [], files: [] },
  ...{ importance: 4, confidence: 0.5, compression: "synthetic" },
};

test("people see the exact time of an old observation", () => {
  expect(observationDetails(observation, terminal)).toMatch(/^when: 2020-0[23]-\d\d \d\d:\d\d:15$/m);
});

test("a session is listed with the tags that it was given, on one line, and not with those of how it came about", () => {
  const session: Session = {
    ...{ id: "s1", project: "shop", cwd: "/w/shop", startedAt: timestamp, updatedAt: timestamp },
    ...{ status: "active", observationCount: 2, commitShas: [] },
    tags: ["implicit", "codex", "a\nb\u001b[2J", "swept"],
  };
  const page = { success: true, total: 1, offset: 0, limit: 20 } as const;
  const listed = renderSessions({ ...page, sessions: [session] }, terminal);
  expect(listed).toMatch(/^s1 +shop +codex, a b\[2J, active, 2 observations, [^\n]+$/);
});
