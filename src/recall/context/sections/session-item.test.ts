import { expect, test } from "vitest";
import { summaryLines } from "./session-item.ts";

test("shows the decisions of a session, those of a model too, without what only happened", () => {
  const session = { startedAt: 0, firstPrompt: "Expire links" };
  const keyDecisions = [
    "The sweep never ran.",
    "Must all links expire?",
    "Next: watch the folder instead of polling.",
    "One query does it in 40 ms instead of 900 ms.",
    "The cause was that links used local time instead of UTC.",
    "The query returned every link instead of one.",
    "Wait 60 s instead of 30 s.",
    "Expired rows must be deleted.",
    "Links expire by date",
  ];
  const summary = { title: "Expire links", narrative: "", keyDecisions, filesModified: [] };
  const room = { narrative: 100, decisions: 3, commits: 100, files: 5 };
  const shown = summaryLines(session, summary, room).map(({ text }) => text);
  expect(shown).toEqual([
    "1970-01-01 Expire links",
    "Decided: Wait 60 s instead of 30 s.",
    "Decided: Expired rows must be deleted.",
    "Decided: Links expire by date",
  ]);
});

test.each([
  ["go on", "Asked: Limit the login attempts; Run the tests. Ended with: Done.", "Limit the login attempts"],
  ["danke!", "Asked: danke!", "danke!"],
  ["go on", "A model's summary of it.", "go on"],
  ["Expire links", "Asked: Limit the login attempts.", "Expire links"],
])("a session that began with %j and has the summary %j is called %j", (firstPrompt, narrative, called) => {
  const summary = { title: firstPrompt, narrative, keyDecisions: [], filesModified: [] };
  const room = { narrative: 100, decisions: 3, commits: 100, files: 5 };
  const [head, ...rest] = summaryLines({ startedAt: 0, firstPrompt }, summary, room);
  expect(head?.text).toBe(`1970-01-01 ${called}`);
  expect(rest.map(({ text }) => text).join()).not.toContain("Asked: Limit the login attempts;");
});
