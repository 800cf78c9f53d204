import { Chalk } from "chalk";
import { expect, test } from "vitest";
import type { Terminal } from "../terminal/terminal.ts";
import { observationDetails } from "./sessions.ts";

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
