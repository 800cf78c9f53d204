import { expect, test } from "vitest";
import type { Happening } from "../../capture/observations/history.ts";
import { extractSummary, summaryQuality } from "./extractive.ts";

function happening(given: Partial<Happening>): Happening {
  return {
    type: "other",
    hookType: "post_tool_use",
    title: "",
    narrative: "",
    facts: [],
    concepts: [],
    files: [],
    importance: 3,
    toolName: null,
    ...given,
  };
}

const story: readonly Happening[] = [
  happening({
    type: "conversation",
    hookType: "prompt_submit",
    title: "Fix the flaky login test",
    importance: 6,
  }),
  happening({ type: "error", title: "Bash failed: Error: timeout", toolName: "Bash", importance: 7 }),
  happening({
    type: "file_edit",
    title: "Edited src/login.ts",
    files: ["src/login.ts"],
    concepts: ["login"],
    importance: 6,
  }),
  happening({
    type: "file_edit",
    title: "Edited src/clock.ts",
    files: ["src/clock.ts"],
    concepts: ["clock", "login"],
    importance: 6,
  }),
  happening({ type: "file_edit", title: "Edited src/login.ts", files: ["src/login.ts"], importance: 6 }),
  happening({ type: "command_run", title: "npm test", toolName: "Bash", importance: 5 }),
  happening({
    type: "conversation",
    hookType: "stop",
    title: "Done",
    narrative: "The test waits for the clock now. It ran fifty times.",
    facts: ["decision: We will use fake timers from now on."],
    importance: 6,
  }),
];

test("a summary says what was asked, changed, run, what failed and was overcome, and how it ended", () => {
  const summary = extractSummary(story, "Fix the flaky login test");
  expect(summary.title).toBe("Fix the flaky login test");
  expect(summary.narrative).toBe(
    "Asked: Fix the flaky login test. Changed: src/login.ts, src/clock.ts. Ran: npm test. " +
      "Errors: 1, such as Bash failed: Error: timeout (later a success). Ended with: The test waits for the clock now.",
  );
  expect(summary.keyDecisions).toEqual(["We will use fake timers from now on."]);
  expect(summary.filesModified).toEqual(["src/login.ts", "src/clock.ts"]);
  expect(summary.concepts).toEqual(["login", "clock"]);
  expect(summaryQuality(summary)).toBe(100);
});

test("what was asked as a question ends as one, and one change is told as one", () => {
  const [edit] = story.filter(({ type }) => type === "file_edit");
  const asked = happening({ hookType: "prompt_submit", type: "conversation", title: "Why is login slow?" });
  expect(extractSummary([asked], null).narrative).toBe("Asked: Why is login slow?");
  expect(edit && extractSummary([edit], null).title).toBe("1 change in src");
});

test("without a prompt the title counts the changes in the folder that was changed most", () => {
  expect(extractSummary(story, null).title).toBe("3 changes in src");
});

test("without prompt and changes the title is that of the most important event", () => {
  const events = [happening({ title: "minor", importance: 2 }), happening({ title: "major", importance: 7 })];
  expect(extractSummary(events, " ").title).toBe("major");
});

test("an error that nothing followed is not called overcome", () => {
  const { narrative } = extractSummary(story.slice(0, 2), null);
  expect(narrative).toContain("Errors: 1, such as Bash failed: Error: timeout.");
});
