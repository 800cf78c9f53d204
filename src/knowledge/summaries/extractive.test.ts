import { expect, test } from "vitest";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { runUninterrupted } from "../../steps.ts";
import { briefNarrative } from "./brief.ts";
import { extractInSteps, summaryQuality } from "./extractive.ts";

const extractSummary = (...given: Parameters<typeof extractInSteps>) =>
  runUninterrupted(extractInSteps(...given));

function observation(given: Partial<SessionObservation>): SessionObservation {
  return {
    timestamp: 0,
    type: "other",
    hookType: "post_tool_use",
    title: "",
    narrative: "",
    facts: [],
    concepts: [],
    files: [],
    importance: 3,
    toolName: null,
    subtitle: null,
    ...given,
  };
}

const story: readonly SessionObservation[] = [
  observation({
    type: "conversation",
    hookType: "prompt_submit",
    title: "Fix the flaky login test",
    importance: 6,
  }),
  observation({ type: "error", title: "Bash failed: Error: timeout", toolName: "Bash", importance: 7 }),
  observation({
    type: "file_edit",
    title: "Edited src/login.ts",
    files: ["src/login.ts"],
    concepts: ["login"],
    importance: 6,
  }),
  observation({
    type: "file_edit",
    title: "Edited src/clock.ts",
    files: ["src/clock.ts"],
    concepts: ["clock", "login"],
    importance: 6,
  }),
  observation({ type: "file_edit", title: "Edited src/login.ts", files: ["src/login.ts"], importance: 6 }),
  observation({ type: "command_run", title: "npm test", toolName: "Bash", importance: 5 }),
  observation({
    type: "conversation",
    hookType: "stop",
    title: "Done",
    narrative: "The test waits for the clock now. It ran fifty times.",
    facts: ["decision: We will use fake timers from now on."],
    importance: 6,
  }),
];

test("a summary states what was asked, changed and run, the errors and the end", () => {
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

test("a question keeps its question mark, and a single change is counted in the singular", () => {
  const [edit] = story.filter(({ type }) => type === "file_edit");
  const asked = observation({ hookType: "prompt_submit", type: "conversation", title: "Why is login slow?" });
  expect(extractSummary([asked], null).narrative).toBe("Asked: Why is login slow?");
  expect(edit && extractSummary([edit], null).title).toBe("1 change in src");
});

test("a text that ends with the full stop of another script gets no second one", () => {
  const asked = observation({
    type: "conversation",
    hookType: "prompt_submit",
    title: "लॉगिन ठीक करो।",
    importance: 6,
  });
  const { narrative } = extractSummary([asked, ...story.slice(2, 3)], "लॉगिन");
  expect(narrative).toBe("Asked: लॉगिन ठीक करो। Changed: src/login.ts.");
});

test.each([
  "ok, go on",
  "Ja, bitte weiter!",
  "Oui, merci",
  "Хорошо, продолжай",
  "好的，继续",
  "沒問題，請繼續",
  "はい、お願いします。",
  "हाँ, ठीक है",
  "İyi? Evet",
])("a reply that only agrees is not what was asked, unless it is a question: %s", (title) => {
  const said = observation({ type: "conversation", hookType: "prompt_submit", title, importance: 6 });
  const { narrative } = extractSummary([...story.slice(0, 1), said], null);
  expect(narrative.includes(title.slice(0, 3))).toBe(title.includes("?"));
});

test("dots at the end of the last command are kept", () => {
  const build = observation({ type: "command_run", title: "go build ./...", toolName: "Bash" });
  expect(extractSummary([build], null).narrative).toBe("Ran: go build ./...");
});

test("without a prompt the title counts the changes in the most changed folder", () => {
  expect(extractSummary(story, null).title).toBe("3 changes in src");
});

test("without prompt and changes the title is that of the most important event", () => {
  const events = [
    observation({ title: "minor", importance: 2 }),
    observation({ title: "major", importance: 7 }),
  ];
  expect(extractSummary(events, " ").title).toBe("major");
});

test("an error that nothing followed is not called overcome", () => {
  const { narrative } = extractSummary(story.slice(0, 2), null);
  expect(narrative).toContain("Errors: 1, such as Bash failed: Error: timeout.");
});

test("an error is overcome only by a later success of the same tool", () => {
  const [, error] = story;
  if (error === undefined) throw new Error("the story has an error");
  const begin = observation({ type: "command_run", hookType: "pre_tool_use", toolName: "Bash" });
  const failure = observation({ type: "command_run", toolName: "Bash", facts: ["exit code: 2"] });
  const success = observation({ type: "command_run", toolName: "Bash", facts: ["exit code: 0"] });
  expect(extractSummary([error, begin, failure], null).narrative).not.toContain("later a success");
  expect(extractSummary([error, begin, failure, success], null).narrative).toContain("later a success");
});

test("a failed command is overcome only by a success of the same command, and what is left failing comes first", () => {
  const failed = (title: string, command: string, ...facts: string[]) => {
    const subtitle = `command: ${command}, description: Check it`;
    return observation({ type: "error", title, subtitle, toolName: "Bash", facts });
  };
  const ran = (title: string, ...facts: string[]) =>
    observation({ type: "command_run", title, toolName: "Bash", facts });
  const told = (...events: SessionObservation[]) => extractSummary(events, null).narrative;
  const push = failed("no upstream", "cd app && git push");
  const lint = failed("no lint", "npm run lint");
  const tests = failed("1 is not 2", "npm test", "tests: 1 failed");
  const deadlock = failed("deadlock", "node migrate.js");
  expect(
    told(
      push,
      tests,
      lint,
      ran("git push -u origin main"),
      ran("git status"),
      ran("vitest", "tests: 2 passed"),
      deadlock,
      ran("ls"),
    ),
  ).toContain("Errors: 4, such as deadlock; no lint; no upstream (later a success).");
  expect(told(tests, ran("npm test | tail -5", "tests: 1 failed, 1 passed"))).toContain(
    "such as 1 is not 2.",
  );
  const inGo = failed("--- FAIL: TestVat", "go test ./...");
  const piped = (...facts: string[]) => told(inGo, ran("go test ./... | tail -5", ...facts));
  expect(piped("tests: FAIL shop/parse 0.003s")).toContain("such as --- FAIL: TestVat.");
  expect(piped("tests: ok shop/parse 0.003s")).toContain("--- FAIL: TestVat (later a success).");
  expect(told(push, ran("git push"), { ...push, subtitle: "git push -f" })).toContain(
    "Errors: 2, such as no upstream.",
  );
});

test("a tool call that the user rejected is not counted as an error", () => {
  const title = "Edit failed: The user doesn't want to proceed with this tool use. The tool use was rejected";
  const { narrative } = extractSummary([...story.slice(1, 2), observation({ type: "error", title })], null);
  expect(narrative).toBe("Errors: 1, such as Bash failed: Error: timeout.");
});

test("a command of several steps is treated as one command", () => {
  const loop = "for i in $(seq 10); do node --test test/; done; echo finished";
  const ran = [loop, "npm test"].map((title) => observation({ type: "command_run", title, importance: 5 }));
  const { narrative } = extractSummary(ran, null);
  expect(narrative).toBe(`Ran: ${loop.replaceAll("; ", ";")}; npm test.`);
  expect(briefNarrative(narrative, [], 60)).toBe("Ran: npm test.");
});

test("of the commands, commits are named first", () => {
  const run = (title: string) => observation({ type: "command_run", title, importance: 5 });
  const checks = ["npm ci", "npm run build", "npm test", "npm run migrate"].map(run);
  const commits = ["git add -A && git commit -m 'feat: carts'", "git commit -am 'fix: totals'"].map(run);
  const { narrative } = extractSummary([...checks, ...commits, run("npm run e2e:test")], null);
  expect(narrative).toBe(
    "Ran: git add -A && git commit -m 'feat: carts'; git commit -am 'fix: totals'; npm ci; npm run build; npm test.",
  );
});

test("an error message of several parts is treated as one error", () => {
  const titles = ["Bash failed: no such column: a; did you mean b?", "Edit failed: no such file"];
  const errors = titles.map((title) => observation({ type: "error", title }));
  const { narrative } = extractSummary(errors, null);
  expect(narrative).toBe(`Errors: 2, such as ${titles[1]}; ${titles[0]?.replace("; ", ";")}`);
  expect(briefNarrative(narrative, [], 50)).toBe(`Errors: 2, such as ${titles[1]}.`);
});

test("a session in which calls only began has an empty narrative", () => {
  const begun = [
    observation({ type: "other", hookType: "session_start", title: "Session start: startup", importance: 1 }),
    observation({ type: "command_run", hookType: "pre_tool_use", title: "npm publish", toolName: "Bash" }),
  ];
  expect(extractSummary(begun, null).narrative).toBe("");
});

test("a session that only looked at files is described by its most important events", () => {
  const looked = [
    observation({ type: "command_run", title: "ls src", toolName: "Bash", importance: 4 }),
    observation({ type: "file_read", title: "Read src/login.ts", toolName: "Read", importance: 5 }),
    observation({ type: "command_run", title: "ls src", toolName: "Bash", importance: 4 }),
    observation({ type: "notification", hookType: "notification", title: "Waiting", importance: 2 }),
  ];
  expect(extractSummary(looked, null)).toMatchObject({
    title: "Read src/login.ts",
    narrative: "Read src/login.ts; ls src.",
  });
});

test("a command that only began does not count as run", () => {
  const refused = observation({ type: "command_run", hookType: "pre_tool_use", title: "npm publish" });
  const ran = observation({ type: "command_run", title: "npm test" });
  expect(extractSummary([refused, ran], null).narrative).toBe("Ran: npm test.");
});

test("an edit that only began does not count as a change", () => {
  const begun = { type: "file_edit", hookType: "pre_tool_use", files: ["src/refused.ts"] };
  const { filesModified, title } = extractSummary([...story.slice(2, 4), observation(begun)], null);
  expect(filesModified).toEqual(["src/login.ts", "src/clock.ts"]);
  expect(title).toBe("2 changes in src");
});

test("an agent's note in the user's place is not what was asked, and sentences end once", () => {
  const note =
    "<task-notification>\n<summary>Tests completed</summary>\n</task-notification>\nRead the output file";
  const prompt = { type: "conversation", hookType: "prompt_submit", importance: 6 };
  const { narrative } = extractSummary(
    [
      observation({ ...prompt, title: "Tests completed", narrative: note }),
      observation({ ...prompt, title: "Did you push?", narrative: "Did you push?" }),
      observation({ type: "command_run", title: "npm test 2>&1 | tail -5", importance: 5 }),
      observation({ type: "command_run", title: "npm test 2>&1 | tail -30", importance: 5 }),
      observation({ type: "command_run", title: "ls src && cat src/a.ts", importance: 4 }),
      observation({ type: "conversation", hookType: "stop", narrative: "Yes, all is pushed:\n- main" }),
    ],
    null,
  );
  expect(narrative).toBe("Asked: Did you push? Ran: npm test. Ended with: Yes, all is pushed.");
});

test("a reply without a meaning of its own is not what was asked, unless nothing else was", () => {
  const prompt = { type: "conversation", hookType: "prompt_submit", importance: 6 };
  const said = (...titles: string[]) => titles.map((title) => observation({ ...prompt, title }));
  const asked = (...titles: string[]) => extractSummary(said(...titles), null).narrative;
  expect(asked("ok, go on", "Sort jobs by their id", "makes sense.")).toBe("Asked: Sort jobs by their id.");
  expect(asked("wow", "Sort jobs by their id", "thx, awesome!")).toBe("Asked: Sort jobs by their id.");
  expect(asked("ok, go on")).toBe("Asked: ok, go on.");
  expect(asked("Sort jobs by their id.", "Then the log.")).toBe(
    "Asked: Sort jobs by their id; Then the log.",
  );
  expect(asked("修复登录测试", "did you push?", "Sort jobs by their id")).toBe(
    "Asked: 修复登录测试; did you push?; Sort jobs by their id.",
  );
});

test("an answer that begins by saying that it is done includes its next sentence", () => {
  const answer = (narrative: string) =>
    extractSummary([observation({ type: "conversation", hookType: "stop", narrative })], null).narrative;
  expect(answer("All done. Jobs are sorted by id. I ran it twice.")).toBe(
    "Ended with: All done. Jobs are sorted by id.",
  );
  expect(answer("All done.")).toBe("Ended with: All done.");
  expect(answer("Jobs are sorted by id. I ran it twice.")).toBe("Ended with: Jobs are sorted by id.");
});

test("a last answer of one or two words is shown with the one before it", () => {
  const said = (...narratives: string[]) =>
    extractSummary(
      narratives.map((narrative) => observation({ type: "conversation", hookType: "stop", narrative })),
      null,
    ).narrative;
  expect(said("Events are handled once now. All tests pass.", "Committed.", "Pushed.")).toBe(
    "Ended with: Pushed (before that: Events are handled once now).",
  );
  expect(said("Done.", "Pushed.")).toBe("Ended with: Pushed.");
  expect(said("推送前运行了全部测试。", "已经推送到主分支。")).toBe("Ended with: 已经推送到主分支。");
});

test("a call that the agent got wrong is not counted as an error", () => {
  const failed = (title: string) => observation({ type: "error", title });
  const slips = [
    failed("Read failed: File does not exist."),
    failed("Edit failed: File has not been read yet."),
    failed("edit failed: Could not find oldString in the file. It must match exactly"),
    failed("read failed: File not found: /code/shop/nope.ts"),
    failed("replace failed: Failed to edit, expected 1 occurrence but found 2."),
    failed("apply_patch failed: apply_patch verification failed: no such line"),
    failed("edit failed: Failed to edit, 0 occurrences found for old_string in src/app.py. No edits made."),
    failed("edit failed: Failed to edit. Found 2 occurrences for old_string in src/app.py but replace_all"),
    failed("edit failed: No changes to apply. The old_string and new_string are identical in file: a.py"),
    failed("edit failed: File src/app.py has not been read in this session. Use the read_file tool"),
    failed("write_file failed: File src/app.py has been modified since you last read it (mtime"),
    failed("read_file failed: File not found: src/nosuch.py"),
    failed("nosuch failed: Model tried to call unavailable tool 'nosuch'. Available tools: bash, edit"),
    failed('edit failed: The edit tool was called with invalid arguments: ["oldString"]: is missing'),
    failed("editor failed: Editor operation failed: No replacement performed: text not found in app.py."),
    failed("editor failed: ✖ Invalid input: expected string, received undefined"),
    failed("read_files failed: Error reading file: Path is not a file: /code/shop"),
    failed("read_files failed: Error reading file: ENOENT: no such file or directory, statx 'nosuch.py'"),
  ];
  const faults = [
    failed("run_commands failed: ✖ 3 problems (3 errors, 0 warnings)"),
    failed("Execute failed: shop_id is required"),
    failed("Bash failed: Error: timeout"),
    failed("bash failed: File not found: shop.toml"),
  ];
  const { narrative } = extractSummary([...slips, ...faults], null);
  expect(narrative).toMatch(/^Errors: 4, such as .*timeout/u);
});

test("a summary of a long session is bounded in all its parts", () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const long = numbers.flatMap((number) => [
    observation({
      type: "conversation",
      hookType: "prompt_submit",
      title: `Write down part ${number} of it`,
    }),
    observation({ type: "file_edit", title: "Edited", files: [`f${number}.ts`], concepts: [`tag${number}`] }),
    observation({ facts: [`decision: We will use format ${number} for it.`] }),
  ]);
  const { title, narrative, ...lists } = extractSummary(long, "🙂".repeat(81));
  expect([...title]).toHaveLength(80);
  const [asked = "", changed = ""] = narrative.split(" Changed: ");
  expect([asked.split("; ").length, changed.split(", ").length]).toEqual([5, 10]);
  expect(lists.keyDecisions).toEqual(
    numbers
      .slice(-10)
      .map((number) => `We will use format ${number} for it.`)
      .reverse(),
  );
  expect([lists.filesModified.length, lists.concepts.length]).toEqual([30, 15]);
  const far = numbers.map((number) => `${"deep/".repeat(100)}${number}.ts`);
  const ofFar = extractSummary([observation({ type: "file_edit", title: "Edited", files: far })], null);
  expect([...ofFar.narrative]).toHaveLength(4_000);
});

test("the quality of a summary depends on its parts and the characters of its narrative", () => {
  const empty = { title: "", narrative: "", keyDecisions: [], filesModified: [], concepts: [] };
  const quality = (fields: Partial<Parameters<typeof summaryQuality>[0]>) =>
    summaryQuality({ ...empty, ...fields });
  expect([
    quality({}),
    quality({ title: "x" }),
    quality({ narrative: "x".repeat(19) }),
    quality({ narrative: "🙂".repeat(19) }),
    quality({ narrative: "x".repeat(20) }),
    quality({ narrative: "🙂".repeat(99) }),
    quality({ narrative: "x".repeat(100) }),
    quality({ keyDecisions: ["x"] }),
    quality({ filesModified: ["x"] }),
    quality({ concepts: ["x"] }),
  ]).toEqual([0, 20, 0, 0, 25, 25, 30, 20, 15, 15]);
});
