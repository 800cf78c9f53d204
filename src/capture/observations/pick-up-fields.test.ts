import { describe, expect, test } from "vitest";
import { type Event, type PickedFields, pickUpFields } from "./pick-up-fields.ts";

const pick = (hookType: string, data: unknown, cwd = "/code/shop"): PickedFields =>
  pickUpFields({ hookType, sessionId: "s1", project: "shop", cwd, timestamp: 0, data } satisfies Event);

describe("field lookup", () => {
  test("reads a string as the text and finds no field in other values", () => {
    expect(pick("prompt_submit", "Add a cart").userPrompt).toBe("Add a cart");
    expect(pick("prompt_submit", ["Add a cart"]).userPrompt).toBeUndefined();
    expect(pick("prompt_submit", undefined).userPrompt).toBeUndefined();
  });

  test("prefers data over data.payload, and data.payload over data.event", () => {
    const nested = { event: { prompt: "from event" }, payload: { text: "from payload" } };
    expect(pick("prompt_submit", { ...nested, text: "from data" }).userPrompt).toBe("from data");
    expect(pick("prompt_submit", nested).userPrompt).toBe("from payload");
    expect(pick("prompt_submit", { event: { prompt: "from event" } }).userPrompt).toBe("from event");
  });

  test.each([
    [{ toolName: "A", tool_name: "B", tool: "C" }, "A"],
    [{ tool_name: "B", tool: "C" }, "B"],
    [{ toolName: "  ", tool: "C" }, "C"],
    [{ toolName: null, tool_name: false, tool: "C" }, "C"],
    [{ toolName: "🔧".repeat(201) }, `${"🔧".repeat(199)}…`],
  ])("takes the first tool name key that says something, up to 200 characters", (data, expected) => {
    expect(pick("post_tool_use", data).toolName).toBe(expected);
  });

  test.each(["toolInput", "tool_input", "input", "args", "arguments"])(
    "reads %s as the tool input",
    (key) => {
      expect(pick("pre_tool_use", { tool: "Bash", [key]: { cmd: "ls" } }).input.command).toBe("ls");
    },
  );

  test.each([
    ...["toolOutput", "tool_output", "toolResponse", "tool_response", "output", "result", "content"],
  ])("reads %s as the tool output", (key) => {
    expect(pick("post_tool_use", { tool: "Bash", [key]: "done" }).outputText).toBe("done");
  });

  test.each(["error", "errorMessage", "error_message", "stderr"])("reads %s as an error", (key) => {
    expect(pick("post_tool_use", { tool: "Bash", [key]: "boom" }).error).toBe("boom");
  });

  test.each(["userPrompt", "user_prompt", "prompt", "text"])("reads %s as the prompt", (key) => {
    expect(pick("prompt_submit", { [key]: "Add a cart" }).userPrompt).toBe("Add a cart");
  });

  test.each([
    ...["assistantResponse", "assistant_response", "lastAssistantMessage", "last_assistant_message"],
    ...["lastMessage", "last_message", "response", "message"],
  ])("reads %s as the assistant's text", (key) => {
    expect(pick("stop", { [key]: "Done." }).assistantResponse).toBe("Done.");
  });
});

describe("fields of each hook", () => {
  test.each<[string, Record<string, unknown>, Partial<PickedFields>]>([
    [
      "session_start",
      { source: "resume", model: "opus", title: "Cart" },
      { source: "resume", model: "opus", title: "Cart" },
    ],
    ["prompt_submit", { message: "Add a cart" }, { userPrompt: "Add a cart" }],
    ["pre_tool_use", { tool_name: "Bash", tool_input: { command: "ls" } }, { toolName: "Bash" }],
    ["post_tool_use", { change_kind: "change", duration_ms: 12 }, { changeKind: "change", durationMs: 12 }],
    [
      "post_tool_failure",
      { tool: "Bash", output: "no such file" },
      { toolName: "Bash", error: "no such file" },
    ],
    [
      "pre_compact",
      { trigger: "auto", custom_instructions: "keep" },
      { trigger: "auto", customInstructions: "keep" },
    ],
    [
      "subagent_start",
      { agent_id: "a1", agent_type: "Explore", description: "look" },
      { subagentId: "a1", subagentKind: "Explore", subagentPrompt: "look" },
    ],
    [
      "subagent_stop",
      { agentType: "Plan", last_assistant_message: "Found." },
      { subagentKind: "Plan", assistantResponse: "Found." },
    ],
    [
      "notification",
      { notification_type: "idle_prompt", title: "Claude", message: "waiting" },
      { notificationKind: "idle_prompt", title: "Claude", message: "waiting" },
    ],
    [
      "task_completed",
      { task_id: "7", task_subject: "Cart", description: "d", teammate_name: "ann", team_name: "shop" },
      { taskId: "7", taskSubject: "Cart", taskText: "d", teammateName: "ann", teamName: "shop" },
    ],
    [
      "stop",
      { stop_reason: "end_turn", last_message: "Done." },
      { stopReason: "end_turn", assistantResponse: "Done." },
    ],
    ["session_end", { reason: "logout" }, { reason: "logout" }],
    [
      "custom_hook",
      { tool: "X", error: "e", text: "t", message: "m" },
      { toolName: "X", error: "e", userPrompt: "t", assistantResponse: "m" },
    ],
  ])("%s provides its own fields", (hookType, data, expected) => {
    expect(pick(hookType, data)).toMatchObject(expected);
  });

  test("a hook provides no fields of other hooks", () => {
    const picked = pick("session_end", { reason: "exit", tool_name: "Bash", error: "x", prompt: "y" });
    expect([picked.toolName, picked.error, picked.userPrompt]).toEqual([undefined, undefined, undefined]);
  });

  test("the conversation tool gives a prompt and an answer under any hook", () => {
    const picked = pick("notification", {
      tool: "conversation",
      tool_input: "Hi there",
      tool_output: "Hello",
    });
    expect([picked.userPrompt, picked.assistantResponse]).toEqual(["Hi there", "Hello"]);
  });
});

describe("tool inputs", () => {
  test("a plain string is the value itself, a JSON string is parsed", () => {
    expect(pick("pre_tool_use", { tool: "shell", input: "ls -l" }).input.command).toBe("ls -l");
    expect(pick("pre_tool_use", { tool: "MCP:db", input: '{"query":"select 1"}' }).input.pattern).toBe(
      "select 1",
    );
  });

  test("parsed JSON contains neither NUL nor lone surrogates", () => {
    const input = String.raw`{"command":"echo \ud800 \u0000"}`;
    expect(pick("pre_tool_use", { tool: "Bash", input }).input.command).toBe("echo \uFFFD \uFFFD");
  });

  test("a shell's argument list becomes the command that it runs", () => {
    const command = ["bash", "-lc", "npm test"];
    expect(pick("pre_tool_use", { tool: "shell", input: { command } }).input.command).toBe("npm test");
    const ofPython = ["python3", "-c", "print(1)"];
    expect(pick("pre_tool_use", { tool: "shell", input: { command: ofPython } }).input.command).toBe(
      "python3 -c print(1)",
    );
  });

  test("each part is read from its own keys, and edits give old and new text", () => {
    const input = { cmd: "c", regex: "r", href: "u", old_str: "o", newText: "n", prompt: "p" };
    expect(pick("pre_tool_use", { tool: "x", input }).input).toEqual({
      ...{ command: "c", pattern: "r", url: "u" },
      ...{ oldText: "o", newText: "n", description: "p" },
    });
    const edits = [{ old_string: "a", new_string: "b" }];
    expect(pick("post_tool_use", { tool: "Edit", input: { edits } }).input).toEqual({
      oldText: "a",
      newText: "b",
    });
  });
});

describe("exit codes", () => {
  test.each<[unknown, number | undefined]>([
    [{ tool: "Bash", output: { stdout: "x", exitCode: 2 } }, 2],
    [{ tool: "Bash", output: { returncode: "1" } }, 1],
    [{ tool: "Bash", output: "x", exit_code: 0 }, 0],
    [{ tool: "shell", output: "Exit code: 101\nOutput:\nboom" }, 101],
    [{ tool: "Bash", output: "…\nProcess exited with 3" }, 3],
    [{ tool: "Bash", output: "Command exited with non-zero status code 4" }, 4],
    [{ tool: "Bash", output: { code: "ENOENT" } }, undefined],
    [{ tool: "Read", output: "exit code: 2" }, undefined],
    [{ tool: "Bash", input: { command: "cat cli.md" }, output: "# CLI\n- exit code 2: usage" }, undefined],
    [{ tool: "Bash", input: { command: "git grep 'exit code'" }, output: "a.md: exit code 2" }, undefined],
    [{ tool: "Bash", input: { command: "cat cli.md; make" }, output: "# CLI\nexit code: 2" }, 2],
    [{ tool: "Bash", input: { command: 'cat a; echo "exit code: $?"' }, output: "x\nexit code: 1" }, 1],
    [{ tool: "Bash", input: { command: "ls no" }, output: "Exit code 2\nls: cannot access" }, 2],
    [
      { tool: "shell", input: { cmd: "ls" }, output: "Chunk ID: a\nProcess exited with code 2\nOutput:\nx" },
      2,
    ],
    [
      {
        tool: "bash",
        tool_output: JSON.stringify([{ type: "text", text: "no\n\nCommand exited with code 1" }]),
      },
      1,
    ],
    [{ tool: "WebFetch", output: { code: 200, result: "ok" } }, undefined],
    [{ tool: "Bash", output: "x\nIn the manual a usage error has exit code 2" }, undefined],
    [{ tool: "Bash", output: `exit code${" ".repeat(60_000)}1` }, undefined],
  ])("%j has the exit code %s", (data, expected) => {
    expect(pick("post_tool_use", data).exitCode).toBe(expected);
  });

  test("are read from the error text of a failure", () => {
    const output = JSON.stringify([{ type: "text", text: "foo: not found\n\nCommand exited with code 127" }]);
    expect(pick("post_tool_failure", { tool: "bash", output }).exitCode).toBe(127);
    expect(pick("post_tool_failure", { tool: "Bash", error: "Exit code 127\nfoo: not found" }).exitCode).toBe(
      127,
    );
  });
});

describe("files", () => {
  test("are relative to the working directory, unique, the tool's input first", () => {
    const picked = pick("post_tool_use", {
      tool_response: { filePath: "/code/shop/src/b.ts", files: ["/etc/hosts", "/code/shop/src/a.ts"] },
      tool_name: "Edit",
      tool_input: { file_path: "/code/shop/src/a.ts" },
    });
    expect(picked.files).toEqual(["src/a.ts", "src/b.ts", "/etc/hosts"]);
  });

  test("are found in an input that is JSON text, as calls of servers have it", () => {
    const tool_input = JSON.stringify({ path: "/code/shop/src/a.ts", options: { files: ["b.ts"] } });
    expect(pick("post_tool_use", { tool_name: "read_text", tool_input }).files).toEqual(["src/a.ts", "b.ts"]);
  });

  test("are found four levels deep but not five", () => {
    const at = (depth: number): unknown => (depth === 1 ? { path: "x.ts" } : { a: at(depth - 1) });
    expect(pick("post_tool_use", at(4)).files).toEqual(["x.ts"]);
    expect(pick("post_tool_use", at(5)).files).toEqual([]);
  });

  test("exclude texts, addresses and glob patterns", () => {
    const paths = ["a\nb", "http://x.org/a", "src/**/*.ts", "lib/[a-z].c", "{a,b}.ts", " ", "."];
    expect(pick("post_tool_use", { files: paths }).files).toEqual([]);
    expect(pick("post_tool_use", { files: ["app/[id]/page.tsx"] }).files).toEqual(["app/[id]/page.tsx"]);
  });

  test("exclude the working directory itself and texts too long for a path, and may have blanks around them", () => {
    const files = [
      "/code/shop",
      "/code/shop/",
      "./",
      `${"a/".repeat(2_048)}b`,
      " ./src/a.ts ",
      "/code/shop2",
    ];
    expect(pick("post_tool_use", { files }).files).toEqual(["src/a.ts", "/code/shop2"]);
    expect(pick("post_tool_use", { files: ["/", "/a.ts"] }, "/").files).toEqual(["/a.ts"]);
  });

  test("are found in lists of records, also in lists of lists", () => {
    const edits = [{ path: "a.ts" }, [{ path: "b.ts" }], null, "c.ts"];
    expect(pick("post_tool_use", { tool: "x", input: { edits } }).files).toEqual(["a.ts", "b.ts"]);
  });

  test("of a patch are its target files", () => {
    const patch =
      "*** Begin Patch\n*** Add File: src/new.ts\n+x\n*** Update File: src/old.ts\n*** Move to: src/later.ts\n*** Delete File: gone.ts\n";
    const files = ["src/new.ts", "src/old.ts", "src/later.ts", "gone.ts"];
    expect(pick("post_tool_use", { tool: "apply_patch", input: patch }).files).toEqual(files);
    const diff = "--- a/src/a.ts\n+++ b/src/a.ts\t2025-01-01\n@@\n";
    expect(pick("post_tool_use", { tool: "x", input: { patch: diff } }).files).toEqual(["src/a.ts"]);
  });

  test("are at most 20", () => {
    const files = Array.from({ length: 30 }, (_, index) => `src/f${index}.ts`);
    expect(pick("post_tool_use", { files }).files).toHaveLength(20);
  });

  test("may be Windows paths", () => {
    expect(pick("post_tool_use", { path: "C:\\shop\\src\\a.ts" }, "C:\\shop").files).toEqual(["src/a.ts"]);
    expect(pick("post_tool_use", { path: "c:\\shop\\src\\a.ts" }, "C:\\shop").files).toEqual(["src/a.ts"]);
    expect(pick("post_tool_use", { path: "src\\a.ts" }, "C:\\shop").files).toEqual(["src/a.ts"]);
    expect(pick("post_tool_use", { path: "D:\\a.ts" }, "C:\\shop").files).toEqual(["D:\\a.ts"]);
    expect(pick("post_tool_use", { path: "src\\a.ts" }, "/code/shop").files).toEqual(["src\\a.ts"]);
  });
});

describe("output text", () => {
  test.each<[unknown, string]>([
    [{ stdout: "out", stderr: "warn" }, "out\nwarn"],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    [{ content: [{ type: "text", text: "mcp" }] }, "mcp"],
    [{ llmContent: "gemini", returnDisplay: "x" }, "gemini"],
    [{ type: "text", file: { filePath: "a.ts", content: "const a = 1;" } }, "const a = 1;"],
    [[{ type: "text", text: "a" }, "", null, { type: "image", data: "" }, 1], "a\n1"],
    [["a", "", null, 1, false], "a\n1\nfalse"],
    [{ content: [{ type: "image", data: "iVBORw0KGgo=" }], message: "shown" }, "shown"],
    [{ questions: [{ question: "Which?" }] }, '{"questions":[{"question":"Which?"}]}'],
    [{ questions: [{ question: "Which?" }], answers: { "Which?": "A" } }, "A"],
    [{ rows: 3 }, '{"rows":3}'],
    [{ exitCode: 0 }, ""],
    [{ code: "const a = 1;" }, '{"code":"const a = 1;"}'],
  ])("of %j is %j", (output, expected) => {
    expect(pick("post_tool_use", { tool: "X", output }).outputText).toBe(expected);
  });
});
