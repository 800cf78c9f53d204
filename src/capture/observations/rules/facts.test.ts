import { describe, expect, test } from "vitest";
import { compressByRules } from "./compress.ts";

const facts = (hookType: string, data: unknown): string[] =>
  compressByRules({ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data })
    .facts;
const ran = (command: string, stdout = "", more: object = {}): string[] =>
  facts("post_tool_use", { tool_name: "Bash", tool_input: { command }, tool_response: { stdout, ...more } });

describe("facts", () => {
  test("of a failed test run have the order of the contract", () => {
    const stdout =
      "FAIL cart\nTypeError: x\nAssertionError: y\n\u001b[31mTests  1 failed\u001b[0m, 4 passed (5)";
    expect(ran("npm test", stdout, { exitCode: 1 })).toEqual([
      "exit code: 1",
      "error: TypeError: x",
      "error: AssertionError: y",
      "error: Tests  1 failed, 4 passed (5)".replace("  ", " "),
      "command: npm test",
      "tests: Tests 1 failed, 4 passed (5)",
    ]);
  });

  test("are read from content blocks that arrive as JSON text, as pi's extension of agentmemory sends them", () => {
    const text = "Tests  1 failed, 4 passed (5)\nTypeError: x\n\n\nCommand exited with code 1";
    const tool_output = JSON.stringify([{ type: "text", text }]);
    const tool_input = JSON.stringify({ command: "npm test" });
    expect(facts("post_tool_use", { tool_name: "bash", tool_input, tool_output })).toEqual([
      "exit code: 1",
      "error: TypeError: x",
      "error: Tests 1 failed, 4 passed (5)",
      "command: npm test",
      "tests: Tests 1 failed, 4 passed (5)",
    ]);
  });

  test.each(["error", "Exception", "FAILED", "panic", "fatal", "Traceback", "cannot", "Not found"])(
    "include a line with %s as an error",
    (cue) => {
      expect(ran("./serve", `fine\nthis ${cue} here\nfine`)).toEqual([`error: this ${cue} here`]);
    },
  );

  test("exclude a line that only states a severity", () => {
    const stderr = "error: relation is missing {\n  length: 108,\n  severity: 'ERROR',\n  code: '42P01'\n}";
    expect(ran("./serve", stderr)).toEqual(["error: error: relation is missing {"]);
    expect(ran("./serve", '{"level": "error"}')).toEqual(['error: {"level": "error"}']);
  });

  test("include each failed TAP test and its error once, and no passed test", () => {
    const tap = [
      ...["TAP version 13", "# Subtest: unknown links are not found", "ok 1 - unknown links are not found"],
      ...["# Subtest: a failed login is told", "not ok 2 - a failed login is told", "  ---"],
      ...["  error: |-", "    The error of the login was not found", "    in what was told", "  ...", ""],
      "✔ a missing file is an error (1.2ms)",
    ];
    expect(ran("./check", tap.join("\n"))).toEqual([
      "error: not ok 2 - a failed login is told",
      "error: error: The error of the login was not found in what was told",
    ]);
  });

  test("exclude lines that deny errors, and include at most 3 error lines", () => {
    expect(ran("./serve", "0 errors, no failed jobs\nErrors: 0")).toEqual([]);
    expect(ran("./serve", "error 1\nerror 2\nerror 3\nerror 4")).toHaveLength(3);
  });

  test("of a wrong call or a refusal include neither quoted source nor what the user said", () => {
    const failed = (tool_name: string, error: string) => facts("post_tool_failure", { tool_name, error });
    expect(failed("Edit", "String to replace not found in file.\nString: throw new Error('x')")).toEqual([
      "error: String to replace not found in file.",
    ]);
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    expect(failed("Bash", `${refusal} the user said:\nthe error must stay`)).toEqual([
      `error: ${refusal} the user said:`,
    ]);
  });

  test("include no errors from what a command shows of files and histories, but those of logs", () => {
    for (const command of ["cat src/a.ts", "cd a && rg -n Error", "git --no-pager log -3", "ls | head"])
      expect(ran(command, "throw new Error('x')")).toEqual([]);
    for (const command of [
      "docker logs api",
      "tail -5 build.log",
      "cat /tmp/x.output",
      "git log | sh",
      "cat a; ./b",
    ])
      expect(ran(command, "Error: x")).toContain("error: Error: x");
    expect(ran("cat a.ts", "cat: a.ts: cannot open", { exitCode: 1 })).toContain(
      "error: cat: a.ts: cannot open",
    );
  });

  test("include no errors from the text of a file that was read", () => {
    const data = {
      tool_name: "Read",
      tool_input: { file_path: "a.ts" },
      tool_response: "throw new Error('x')",
    };
    expect(facts("post_tool_use", data)).toEqual([]);
  });

  test("of an edit are the file and the first new line that differs", () => {
    const tool_input = {
      file_path: "/code/shop/src/cart.ts",
      old_string: "const a = 1;\nconst b = 2;",
      new_string: "const a = 1;\n\nconst b = 3;",
    };
    expect(facts("post_tool_use", { tool_name: "Edit", tool_input })).toEqual([
      "changed file: src/cart.ts",
      "change: const b = 3;",
    ]);
    expect(
      facts("post_tool_use", { tool_name: "Write", tool_input: { path: "a.md", content: "x" } }),
    ).toEqual(["changed file: a.md"]);
  });

  test.each([
    ...["npm run build", "cargo test", "pip install flask", "./deploy.sh", "npx prisma migrate dev"],
    ...[
      "git commit -m x",
      "cd a && make",
      "CI=1 npx vitest run",
      "python -m pytest",
      "docker compose build",
      "npm ci",
    ],
  ])("include the command %s", (command) => {
    expect(ran(command)).toEqual([`command: ${command}`]);
  });

  test.each(["ls build", "cat test/a.ts", "git status", "grep -r install .", "node server.js", "git log"])(
    "exclude the command %s",
    (command) => {
      expect(ran(command)).toEqual([]);
    },
  );

  test.each([
    ["===== 3 passed, 1 skipped in 0.12s =====", "tests: 3 passed, 1 skipped in 0.12s"],
    [
      "test result: ok. 5 passed; 0 failed\n\ntest result: ok. 0 passed; 0 failed",
      "tests: test result: ok. 5 passed; 0 failed",
    ],
    ["  12 passing (30ms)", "tests: 12 passing (30ms)"],
    ["Tests run: 5, Failures: 0", "tests: Tests run: 5, Failures: 0"],
    ["7 examples, 0 failures", "tests: 7 examples, 0 failures"],
    ["# tests 4\n# pass 4\n# fail 0", "tests: # pass 4"],
  ])("include the test summary of %j", (stdout, expected) => {
    expect(ran("./check", stdout)).toEqual([expected]);
  });

  test("include URLs and search queries", () => {
    expect(facts("post_tool_use", { tool: "WebFetch", input: { url: "https://a.org" } })).toEqual([
      "url: https://a.org",
    ]);
    expect(facts("post_tool_use", { tool: "Grep", input: { pattern: "foo" } })).toEqual(["query: foo"]);
    expect(facts("post_tool_use", { tool: "Grep", input: "foo" })).toEqual(["query: foo"]);
    for (const tool of ["Read", "Bash", "Lookup"])
      expect(facts("post_tool_use", { tool, input: "foo" })).toEqual([]);
  });

  test.each([
    ...["We decided to ship.", "We will ship.", "We'll use zod.", "Let’s use zod.", "I am going with zod."],
    ...[
      "Use zod instead of joi.",
      "Switch to zod.",
      "I chose zod.",
      "Choose zod.",
      "We agreed.",
      "From now on zod.",
    ],
    ...["It must work.", "Never push.", "Always test.", "Amounts are always cents."],
    ...["We switch from joi to zod.", "Replace joi with zod.", "We no longer use joi."],
    ...["We decided against joi.", "Let's go with zod.", "zod it is.", "On second thought, joi."],
  ])("recognise a decision: %s", (sentence) => {
    expect(facts("prompt_submit", { prompt: `Hello. ${sentence} Thanks.` })).toEqual([
      `decision: ${sentence}`,
    ]);
  });

  test.each([
    [
      "stop",
      "The hook never ran. Rows are never deleted. It must have been the clock. It always returns UTC.",
    ],
    ["prompt_submit", "It never works on Safari. It always did. It must have been the cache."],
    [
      "stop",
      "The cause was local time instead of UTC. It returned null instead of a list. The bug is a cast instead of a check.",
    ],
  ])("take what only happens for a decision where nothing is decided: %s %s", (hookType, text) => {
    const decisionsIn = (said: string) =>
      facts(hookType, hookType === "stop" ? { message: said } : { prompt: said });
    const first = text.split(/(?<=\.) /u).slice(0, 3);
    expect(decisionsIn(text)).toEqual(first.map((sentence) => `decision: ${sentence}`));
    const rules = ["You should always test.", "Never need to push.", "Tabs it is."];
    expect(decisionsIn(`${text} ${rules.join(" ")}`)).toEqual(rules.map((rule) => `decision: ${rule}`));
    expect(decisionsIn(`${text} ${rules[0]}`)).toEqual(
      [...first.slice(0, 2), rules[0]].map((sentence) => `decision: ${sentence}`),
    );
  });

  test("do not take what it is for a decision", () => {
    expect(facts("prompt_submit", { prompt: "Here it is. Keep it as it is." })).toEqual([]);
    expect(facts("prompt_submit", { prompt: "replace joi with zod in the texts of cart.ts" })).toEqual([]);
  });

  test.each([
    "We use pnpm in all our repos.",
    "In general: no new dependencies.",
    "Don't push without asking.",
    "no, use pnpm, not npm.",
    "We never use default exports.",
  ])("recognise a correction by the user as a preference: %s", (sentence) => {
    expect(facts("prompt_submit", { prompt: `no, stop! ${sentence}` })).toContain(`preference: ${sentence}`);
  });

  test.each(["Which queue do we use for mails?", "Mails first: in general, is that slow?"])(
    "do not take a question for a preference: %s",
    (prompt) => {
      expect(facts("prompt_submit", { prompt })).toEqual([]);
    },
  );

  test.each([
    "I prefer tabs.",
    "Please use tabs.",
    "Don't use tabs.",
    "Do not use tabs.",
    "I like tabs.",
    "I want tabs.",
  ])("recognise a preference: %s", (sentence) => {
    expect(facts("stop", { message: `Hello. ${sentence}` })).toEqual([`preference: ${sentence}`]);
  });

  test("include at most 3 decisions and 1 preference, from prompts and answers only", () => {
    expect(ran("./serve", "You must never do this.")).toEqual([]);
    const prompt = "Always a. Always b. Always c. Always d. I like e. I like f.";
    expect(facts("prompt_submit", { prompt })).toEqual([
      ...["decision: Always a.", "decision: Always b.", "decision: Always c.", "preference: I like e."],
    ]);
    const both = { tool: "conversation", input: "Always a. I like b.", output: "Never c. Do not use d." };
    expect(facts("post_tool_use", both)).toEqual([
      "decision: Always a.",
      "decision: Never c.",
      "preference: I like b.",
    ]);
  });

  test("are at most 10 of at most 200 code points each", () => {
    const files = Array.from({ length: 20 }, (_, index) => `f${index}.ts`);
    const input = {
      files,
      old_string: "a",
      new_string: "😀".repeat(400),
      url: "https://a.org",
      pattern: "p",
    };
    const all = facts("post_tool_use", { tool: "Edit", input, exitCode: 1 });
    expect(all.length).toBeLessThanOrEqual(10);
    expect(all.map((fact) => [...fact].length).every((length) => length <= 200)).toBe(true);
    expect(all).toContain("url: https://a.org");
  });
});
