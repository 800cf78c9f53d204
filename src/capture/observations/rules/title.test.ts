import { describe, expect, test } from "vitest";
import { compressByRules } from "./compress.ts";

const compress = (hookType: string, data: unknown) =>
  compressByRules({ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data });
const title = (hookType: string, data: unknown): string => compress(hookType, data).title;
const tool = (tool_name: string, tool_input: unknown, more: Record<string, unknown> = {}): string =>
  title("post_tool_use", { tool_name, tool_input, ...more });
const reference = "0123456789abcdef".repeat(4);

describe("titles", () => {
  test("recognise a tagged note that is too long to be read whole", () => {
    const prompt = `<local-command-stdout>Built\n${"line. ".repeat(20_000)}</local-command-stdout>`;
    expect(title("prompt_submit", { prompt })).toMatch(/^Built line\./);
    expect(title("prompt_submit", { prompt: `Fix it.\n${prompt}` })).toBe("Fix it.");
  });

  test("go on after a sentence that only says that enough was read", () => {
    const said = (last_assistant_message: string) => title("stop", { last_assistant_message });
    expect(said("Good, I have the full picture. Let me add the cart. Then the tests.")).toBe(
      "Good, I have the full picture. Let me add the cart.",
    );
    expect(said("I have a clear picture of the bug. It is in cart.ts.")).toBe(
      "I have a clear picture of the bug.",
    );
  });

  test("of a background task's output are what the task is about", () => {
    const task = { task_id: "b1", description: "Run the cart tests", output: "==> file_system\nCompiling" };
    const read = { tool_name: "TaskOutput", tool_input: { task_id: "b1" }, tool_response: { task } };
    expect(title("post_tool_use", read)).toBe("Subagent: Run the cart tests");
    const tool_response = {
      shellId: "b1",
      command: "npm run dev",
      exitCode: 1,
      stdout: "",
      stderr: "in use",
    };
    expect(tool("BashOutput", { bash_id: "b1" }, { tool_response })).toBe("npm run dev (exit 1)");
  });

  test("are cut between words", () => {
    const prompt = `Round each line of the cart ${"before adding ".repeat(9)}`;
    expect(title("prompt_submit", { prompt })).toMatch(/ (?:before|adding)…$/);
    expect(title("prompt_submit", { prompt: `Round ${"x".repeat(200)}` })).toMatch(/^Round x{90,}…$/);
  });

  test("of a compiler error in another language are the line with its location", () => {
    const error =
      "Exit code 1\nmain.c: In Funktion »main«:\nmain.c:3:5: Fehler: »x« nicht deklariert\n  3 | x";
    const call = { tool_name: "Bash", tool_input: { command: "make" } };
    expect(title("post_tool_failure", { ...call, error })).toBe(
      "Bash failed: main.c:3:5: Fehler: »x« nicht deklariert",
    );
    expect(title("post_tool_failure", { ...call, error: "Nicht da:\nein Ordner" })).toBe(
      "Bash failed: Nicht da:",
    );
  });

  test.each([
    [
      " FAIL  src/cart.test.ts > the cart > takes VAT off\nAssertionError: expected [ { path: …(1) } ] to deeply equal []",
      "the cart > takes VAT off: AssertionError: expected [ { path: …(1) } ] to deeply equal []",
    ],
    [
      "  ● the cart › takes VAT off\n\n    AssertionError [ERR_ASSERTION]: 2 == 1",
      "the cart › takes VAT off: AssertionError [ERR_ASSERTION]: 2 == 1",
    ],
    [
      ">       assert vat(2) == 1\nE       assert 2 == 1\nFAILED tests/test_cart.py::test_vat - assert 2 == 1",
      "test_vat: assert 2 == 1",
    ],
    [
      "  ● takes VAT off\n\n    expect(received).toEqual(expected) // deep equality\n\nTests: 1 failed, 1 total",
      "takes VAT off: expect(received).toEqual(expected)",
    ],
    [
      "  1 failing\n\n  1) cart\n       takes VAT off:\n\n      AssertionError: expected 1 to equal 2",
      "cart takes VAT off: AssertionError: expected 1 to equal 2",
    ],
    [
      "There was 1 failure:\n\n1) CartTest::testVat\nFailed asserting that 1 is identical to 2.",
      "CartTest::testVat: Failed asserting that 1 is identical to 2.",
    ],
    [
      "  1) test takes VAT off (CartTest)\n     test/cart_test.exs:5\n     Assertion with == failed",
      "takes VAT off: Assertion with == failed",
    ],
    [
      "✖ takes VAT off (0.5ms)\n  AssertionError [ERR_ASSERTION]: 1 == 2",
      "takes VAT off: AssertionError [ERR_ASSERTION]: 1 == 2",
    ],
    [
      "not ok 1 - takes VAT off\n  ---\n  error: |-\n    Expected values to be equal:\n\n    1 !== 2\n",
      "takes VAT off: error: Expected values to be equal: 1 !== 2",
    ],
    [
      "error: expect(received).toBe(expected)\n(fail) cart > takes VAT off [0.42ms]",
      "cart > takes VAT off: error: expect(received).toBe(expected)",
    ],
    [" FAIL  src/cart.test.ts > the cart\nTypeError: no such list", "TypeError: no such list"],
  ])("name the failed test if the error only compares values: %j", (output, told) => {
    const call = { tool_name: "Bash", tool_input: { command: "npm test" } };
    expect(title("post_tool_failure", { ...call, error: `Exit code 1\n${output}` })).toBe(
      `Bash failed: ${told}`,
    );
  });

  test("prefer the error over the count of failures and the quoted source", () => {
    const run = (error: string) =>
      title("post_tool_failure", { tool_name: "Bash", tool_input: { command: "npm test" }, error });
    expect(
      run(
        "Exit code 1\n ❯ src/cart.test.ts (5 tests | 1 failed) 44ms\n   × takes VAT off 9ms\n" +
          "⎯⎯⎯ Failed Tests 1 ⎯⎯⎯\nAssertionError: expected 1 to be 2\n ❯ src/cart.test.ts:14:24",
      ),
    ).toBe("Bash failed: AssertionError: expected 1 to be 2");
    expect(
      run(
        'Exit code 1\nTraceback (most recent call last):\n  File "/code/errors.py", line 33, in main\n' +
          '    raise AssertionError(f"{len(rows)} differ")\nAssertionError: 17 differ',
      ),
    ).toBe("Bash failed: AssertionError: 17 differ");
    expect(run(">       raise Error(name)\nE   shop.Error: no such name\n1 failed in 0.41s")).toBe(
      "Bash failed: shop.Error: no such name",
    );
    expect(run(" ❯ ErrorResponse src/db.ts:788:26\nPostgresError: no such relation")).toBe(
      "Bash failed: PostgresError: no such relation",
    );
    expect(run("2 failed, 3 passed")).toBe("Bash failed: 2 failed, 3 passed");
    expect(run("Exit code 1\nOn branch main\nnothing to commit, working tree clean")).toBe(
      "Bash failed: nothing to commit, working tree clean",
    );
    expect(
      run("On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing added to commit"),
    ).toBe("Bash failed: nothing added to commit");
    expect(run("worker.js:3\n  throw new Error('cannot start')")).toBe(
      "Bash failed: throw new Error('cannot start')",
    );
  });

  test("describe a TAP error in words, from the lines below it or a file's output", () => {
    const run = (error: string) =>
      title("post_tool_failure", { tool_name: "Bash", tool_input: { command: "node --test" }, error });
    const block = "  error: |-\n    {\n      code: 'old'\n    } == undefined\n  code: 'ERR_ASSERTION'";
    expect(run(`Exit code 1\nTAP version 13\nnot ok 2 - expired\n  ---\n${block}`)).toBe(
      "Bash failed: error: { code: 'old' } == undefined",
    );
    expect(run("Exit code 1\n# throw err;\n# Error: Cannot find module '../src/store.js'")).toBe(
      "Bash failed: Error: Cannot find module '../src/store.js'",
    );
    expect(run("Exit code 1\n  error: |-")).toBe("Bash failed: error: |-");
  });

  test("add the next sentence to one that only agrees or objects", () => {
    const said = (prompt: string) => title("prompt_submit", { prompt });
    expect(said("no, stop. use imgixUrl() for images. I told you")).toBe(
      "no, stop. use imgixUrl() for images.",
    );
    expect(said("ok. good!\nNow push it")).toBe("ok. good! Now push it");
    expect(said("ok great.")).toBe("ok great.");
    expect(said("Two things. The port becomes 9090. Then")).toBe("Two things. The port becomes 9090.");
    expect(title("stop", { last_assistant_message: "Both done. The store waits. Then" })).toBe(
      "Both done. The store waits.",
    );
    expect(said("Fix it. Now")).toBe("Fix it.");
    expect(said("no, not npm! we use pnpm here")).toBe("no, not npm! we use pnpm here");
    expect(said("b. all amounts are cents")).toBe("b. all amounts are cents");
    expect(said("Option 2! Then release it.")).toBe("Option 2! Then release it.");
    expect(said("No retries in the client. They hide it.")).toBe("No retries in the client.");
    expect(said("Yes? Then go on. At once")).toBe("Yes?");
    for (const opening of ["Found it.", "I see.", "You're absolutely right!", "Got it."])
      expect(title("stop", { last_assistant_message: `${opening} The date is no number. So` })).toBe(
        `${opening} The date is no number.`,
      );
    expect(title("stop", { last_assistant_message: "Good. All 43 tests pass. Now the docs." })).toBe(
      "Good. All 43 tests pass.",
    );
    expect(said(`ok. ${"word ".repeat(40)}`)).toBe(`ok. ${"word ".repeat(17)}word…`);
  });

  test("of a commit show the first line of a message written into the command", () => {
    const command =
      "git add -A && git commit -m \"$(cat <<'EOF'\n\npayments: handle each event once\n\nMore.\nEOF\n)\"";
    expect(tool("Bash", { command })).toBe('git add -A && git commit -m "payments: handle each event once"');
    const files = Array.from({ length: 9 }, (_, n) => `src/payments/part-${n}.ts`).join(" ");
    expect(
      tool("Bash", { command: `cd app && git add ${files} && git commit -m 'pay once' && git push` }),
    ).toBe("cd app && git add … && git commit -m 'pay once' && git push");
    expect(tool("Bash", { command: `git add ${files}` })).toMatch(/^git add src.*…$/u);
    expect(tool("Bash", { command: "git add a.ts && git commit -m 'b'" })).toBe(
      "git add a.ts && git commit -m 'b'",
    );
    expect(tool("Bash", { command: "cat > a.txt <<'EOF'\nfirst\nEOF" })).toBe("cat > a.txt <<'EOF'");
    expect(tool("Bash", { command: "git commit -m \"$(cat <<'EOF'" })).toBe("git commit -m \"$(cat <<'EOF'");
  });

  test.each(["रोधों", "e\u0301", "👩🏽‍💻"])("split no character where they are cut: %s", (character) => {
    for (let before = 90; before < 100; before += 1) {
      const told = title("prompt_submit", { prompt: "x".repeat(before) + character.repeat(9) });
      const whole = [...new Intl.Segmenter().segment(character)].map(({ segment }) => segment);
      const shown = [...new Intl.Segmenter().segment(told)].map(({ segment }) => segment);
      expect(shown.every((one) => ["x", "…", ...whole].includes(one))).toBe(true);
    }
  });

  test.each<[string, unknown, string]>([
    ["prompt_submit", { prompt: "Fix cart.ts v1.2.  It drops items." }, "Fix cart.ts v1.2."],
    [
      "prompt_submit",
      { prompt: "<ide_opened_file>The user opened a.ts</ide_opened_file>\nFix it. Now" },
      "Fix it.",
    ],
    [
      "prompt_submit",
      {
        prompt:
          "<task-notification>\n<task-id>b1</task-id>\n<summary>Tests completed</summary>\n</task-notification>\nRead b1",
      },
      "Tests completed",
    ],
    [
      "prompt_submit",
      {
        prompt:
          "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>The cart</command-args>",
      },
      "/review The cart",
    ],
    ["prompt_submit", { prompt: "<b>Bold</b> is kept" }, "<b>Bold</b> is kept"],
    [
      "prompt_submit",
      { prompt: "Where does <system-reminder> come from? Hide it" },
      "Where does <system-reminder> come from?",
    ],
    [
      "prompt_submit",
      { prompt: "<task-notification> stands in my titles" },
      "<task-notification> stands in my titles",
    ],
    [
      "prompt_submit",
      {
        prompt: "Is <system-reminder> ours?\n<system-reminder>\nUse `<system-reminder>`.\n</system-reminder>",
      },
      "Is <system-reminder> ours?",
    ],
    [
      "post_tool_failure",
      { tool_name: "Read", error: "<tool_use_error>File does not exist.</tool_use_error>" },
      "Read failed: File does not exist.",
    ],
    ["stop", { last_assistant_message: "## Done\nAll tests pass." }, "Done"],
    ["stop", { last_assistant_message: "Готово. Тесты проходят. Всё." }, "Готово. Тесты проходят."],
    [
      "stop",
      { last_assistant_message: "Fertig! Die Tests laufen durch." },
      "Fertig! Die Tests laufen durch.",
    ],
    ["stop", { last_assistant_message: "已完成。所有测试都通过了。" }, "已完成。 所有测试都通过了。"],
    [
      "post_tool_failure",
      { tool_name: "Bash", error: "Exit code 1\ncart.ts: Cannot find name 'x'" },
      "Bash failed: cart.ts: Cannot find name 'x'",
    ],
    [
      "post_tool_failure",
      { tool_name: "Read", error: "File does not exist." },
      "Read failed: File does not exist.",
    ],
    [
      "post_tool_failure",
      { tool_name: "Bash", error: "Traceback (most recent call last):\n  File\nValueError: no" },
      "Bash failed: ValueError: no",
    ],
    [
      "subagent_start",
      { agent_type: "Explore", prompt: "Find the cart. Then report." },
      "Subagent Explore: Find the cart.",
    ],
    [
      "subagent_stop",
      { agent_type: "Explore", last_assistant_message: "It is in src." },
      "Subagent Explore: It is in src.",
    ],
    ["task_completed", { task_subject: "Write the cart" }, "Task completed: Write the cart"],
    ["notification", { title: "Claude Code", message: "Waiting for you" }, "Claude Code: Waiting for you"],
    ["notification", { notification_type: "idle_prompt", message: "Waiting" }, "idle_prompt: Waiting"],
    ["post_tool_use", { imagePath: "/tmp/shots/cart.png" }, "Image cart.png"],
    ["post_tool_use", { imageData: reference }, "Image 01234567"],
    ["session_start", { source: "startup" }, "Session start: startup"],
    ["teammateIdle", { transcript_path: "/x/y.jsonl", note: "Ann waits" }, "Teammate idle: Ann waits"],
    ["session_end", {}, "Session end"],
  ])("of %s with %j are %j", (hookType, data, expected) => {
    expect(title(hookType, data)).toBe(expected);
  });

  test("of a command are its first line and any nonzero exit code", () => {
    expect(tool("Bash", { command: "npm test\necho done" })).toBe("npm test");
    expect(tool("Bash", { command: "# Run the tests\n\n# of all\nnpm test\nls" })).toBe("npm test");
    expect(tool("Bash", { command: "# nothing to do" })).toBe("# nothing to do");
    expect(tool("Bash", { command: "npm test" }, { tool_response: { exitCode: 0 } })).toBe("npm test");
    expect(tool("Bash", { command: "npm test" }, { tool_response: { exitCode: 2 } })).toBe(
      "npm test (exit 2)",
    );
    const long = tool("Bash", { command: "x".repeat(500) }, { tool_response: { exitCode: 137 } });
    expect(long).toHaveLength(120);
    expect(long.endsWith("… (exit 137)")).toBe(true);
  });

  test("of files name the first file and count the others", () => {
    expect(tool("Edit", { file_path: "/code/shop/src/cart.ts" })).toBe("Edited src/cart.ts");
    expect(tool("Write", { file_path: "/code/shop/a.md" })).toBe("Wrote a.md");
    expect(tool("Read", { file_path: "/etc/hosts" })).toBe("Read /etc/hosts");
    expect(tool("Read", { files: ["a.ts", "b.ts", "c.ts"] })).toBe("Read a.ts (+2 more)");
    expect(title("post_tool_use", { changeKind: "add", files: ["new.ts"] })).toBe("Wrote new.ts");
  });

  test("of a call without files name the tool, even if it sounds like a file operation", () => {
    const issue = { owner: "acme", repo: "shop", title: "Cart is slow" };
    expect(tool("mcp__github__create_issue", issue)).toBe(
      "create_issue: owner: acme, repo: shop, title: Cart is slow",
    );
    expect(tool(`create_${"x".repeat(300)}`, issue)).toHaveLength(120);
    expect(tool("Write", {})).toBe("Write");
    expect(tool("Skill", { skill: "verify", args: "" })).toBe("Post tool use: Skill: verify");
  });

  test("of searches and fetches show the query or address", () => {
    expect(tool("Grep", { pattern: "addItem", path: "src" })).toBe("Searched for addItem");
    expect(tool("WebFetch", { url: "https://example.org/a", prompt: "p" })).toBe(
      "Fetched https://example.org/a",
    );
    expect(tool("WebSearch", { query: "cart rules" })).toBe("Fetched cart rules");
  });

  test("of a sub-agent tool include the kind from its input", () => {
    const input = { subagent_type: "Plan", description: "Plan the cart", prompt: "Long text" };
    expect(tool("Task", input)).toBe("Subagent Plan: Plan the cart");
    const named = { agent_name: "generalist", prompt: "Look at the cart" };
    expect(tool("invoke_agent", named)).toBe("Subagent generalist: Look at the cart");
    const order = { message: "Say hello to the owner.", agent_type: "default" };
    const tool_response = '{"agent_id":"01a2179a-a3e0-7062-bf7c-b43f268753e9","nickname":"Goodall"}';
    expect(tool("spawn_agent", order, { tool_response })).toBe("Subagent default: Say hello to the owner.");
    expect(tool("Task", { agentType: "Plan", description: "Plan it" })).toBe("Subagent Plan: Plan it");
  });

  test("of the steps of a plan tell their numbers, and those of a list of tasks no data", () => {
    const task = { id: "2", subject: "Write tests" };
    const input = { subject: "Write tests", description: "Of the cart" };
    const created = tool("TaskCreate", input, { tool_response: { task } });
    expect(created).toBe("TaskCreate: #2 open: Write tests");
    expect(tool("TaskUpdate", { taskId: "2", status: "completed" })).toBe("TaskUpdate: #2 done");
    expect(tool("TaskList", {}, { tool_response: { tasks: [task] } })).toBe("TaskList");
    expect(tool("TaskGet", { taskId: "2" }, { tool_response: { task } })).toBe("TaskGet: 2");
  });

  test("are at most 120 code points on one line, sentences at most 100", () => {
    const shown = title("prompt_submit", { prompt: `😀${"long words ".repeat(40)}` });
    expect([...shown].length).toBeLessThanOrEqual(100);
    const noted = title("notification", { title: "a\nb", message: "mm\n".repeat(200) });
    expect(noted).not.toContain("\n");
    expect(noted.endsWith("…")).toBe(true);
    expect([...noted].length).toBeLessThanOrEqual(120);
  });
});

describe("subtitles", () => {
  test("are the tool's input on one line of at most 160 characters", () => {
    const input = { command: "npm test", description: "Run all\ntests" };
    const { subtitle } = compress("post_tool_use", { tool_name: "Bash", tool_input: input });
    expect(subtitle).toBe("command: npm test, description: Run all tests");
    const long = compress("post_tool_use", {
      tool_name: "Write",
      tool_input: { content: "y ".repeat(5000) },
    });
    expect([...(long.subtitle ?? "")]).toHaveLength(160);
  });

  test("are absent without an input", () => {
    expect("subtitle" in compress("prompt_submit", { prompt: "Hi" })).toBe(false);
  });
});
