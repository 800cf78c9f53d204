import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { isPlanEntry } from "../calls/told-plan.ts";
import { type Event, pickUpFields } from "../pick-up-fields.ts";
import { compressByRules } from "./compress.ts";

const event = (hookType: string, data: unknown): Event => ({
  ...{ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data },
});
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const knownKeys = [
  ...[
    "tool_name",
    "tool_input",
    "tool_response",
    "error",
    "prompt",
    "message",
    "command",
    "content",
    "file_path",
  ],
  ...[
    "files",
    "payload",
    "old_string",
    "new_string",
    "edits",
    "title",
    "exitCode",
    "imagePath",
    "url",
    "query",
  ],
];
const hooks = [
  ...["session_start", "prompt_submit", "pre_tool_use", "post_tool_use", "post_tool_failure", "pre_compact"],
  ...["subagent_start", "subagent_stop", "notification", "task_completed", "stop", "session_end", "own_hook"],
];

describe("compressByRules", () => {
  test("compresses a failed test run of Claude Code as the contract specifies", () => {
    const compressed = compressByRules(
      event("post_tool_use", {
        tool_name: "Bash",
        tool_input: { command: "npx vitest run src/cart", description: "Run cart tests" },
        tool_response: {
          stdout: "FAIL src/cart/total.test.ts\nTests  1 failed | 4 passed (5)",
          stderr: "",
          exitCode: 1,
        },
      }),
    );
    expect(compressed).toEqual({
      type: "command_run",
      title: "npx vitest run src/cart (exit 1)",
      subtitle: "command: npx vitest run src/cart, description: Run cart tests",
      facts: [
        "exit code: 1",
        "error: Tests 1 failed | 4 passed (5)",
        "command: npx vitest run src/cart",
        "tests: Tests 1 failed | 4 passed (5)",
      ],
      narrative:
        "npx vitest run src/cart (Run cart tests) → FAIL src/cart/total.test.ts\nTests  1 failed | 4 passed (5)",
      concepts: expect.arrayContaining(["cart", "vitest"]),
      files: [],
      importance: 6,
      confidence: 0.5,
      toolName: "Bash",
    });
  });

  test("describes a plan with its open steps first", () => {
    const todos = [
      { content: "Write the server", status: "completed", activeForm: "Writing the server" },
      { content: "Limit the rate", status: "pending", activeForm: "Limiting the rate" },
    ];
    const plan = event("post_tool_use", { tool_name: "TodoWrite", tool_input: { todos } });
    expect(compressByRules(plan)).toMatchObject({
      title: "TodoWrite: open: Limit the rate · done: Write the server",
      narrative: "open: Limit the rate · done: Write the server",
    });
  });

  test.each([
    ["TodoWrite", "todos", "content", "Todos have been modified successfully. Ensure that you continue"],
    ["todowrite", "todos", "content", '[{"content":"Limit the rate","status":"pending"}]'],
    ["update_plan", "plan", "step", "Plan updated"],
  ])("describes a plan of %s by the plan alone", (tool_name, list, text, tool_response) => {
    const tool_input = { [list]: [{ [text]: "Limit the rate", status: "pending" }] };
    const plan = compressByRules(event("post_tool_use", { tool_name, tool_input, tool_response }));
    expect(plan).toMatchObject({ narrative: "open: Limit the rate", files: [] });
    expect(isPlanEntry(plan)).toBe(true);
  });

  test("gives the same result for fields that were already picked up", () => {
    const edit = event("post_tool_use", {
      tool: "Edit",
      input: { path: "a.ts", old_str: "a", new_str: "b" },
    });
    expect(compressByRules(edit, pickUpFields(edit))).toEqual(compressByRules(edit));
  });

  test("keeps every limit and splits no character, whatever the data", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 1500, size: "large" });
    const leaf = fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 3 }),
    );
    const level = fc.dictionary(fc.constantFrom(...knownKeys), leaf, { maxKeys: 6 });
    const data = fc.dictionary(fc.constantFrom(...knownKeys), fc.oneof(leaf, level), { maxKeys: 8 });
    const toolName = fc.constantFrom("Bash", "Edit", "Read", "Grep", "WebFetch", "Task", "conversation", "x");
    fc.assert(
      fc.property(fc.constantFrom(...hooks), data, fc.option(toolName), (hookType, sent, tool) => {
        const result = compressByRules(event(hookType, tool === null ? sent : { ...sent, tool_name: tool }));
        const lines = [
          result.title,
          result.subtitle ?? "",
          result.narrative,
          ...result.facts,
          ...result.concepts,
        ];
        expect(lines.some((line) => loneSurrogate.test(line))).toBe(false);
        expect(result.title).not.toBe("");
        expect(result.title).not.toContain("\n");
        expect([...result.title].length).toBeLessThanOrEqual(120);
        expect([...(result.subtitle ?? "")].length).toBeLessThanOrEqual(160);
        expect([...result.narrative].length).toBeLessThanOrEqual(1000);
        expect(result.facts.length).toBeLessThanOrEqual(10);
        expect(Math.max(0, ...result.facts.map((fact) => [...fact].length))).toBeLessThanOrEqual(200);
        expect(result.concepts.length).toBeLessThanOrEqual(12);
        expect(result.files.length).toBeLessThanOrEqual(20);
        expect(result.importance).toBeGreaterThanOrEqual(1);
        expect(result.importance).toBeLessThanOrEqual(8);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ...[
      "exit code ",
      "0 errors ",
      "error ",
      ".",
      "1",
      "\u001b[0;",
      'import "',
      "npm install ",
      "\n",
      "_-",
      "😀",
    ],
    ...["1 failed\n", "*** Update File: a\n", "= ", " #a", "You must. ", "a. b ", "`", "( "],
    ...["mich ", "statt a ", "usa ", "ab jetzt ", "é"],
  ])("compresses 64 KiB of %j in linear time under every hook", (unit) => {
    const text = unit.repeat(Math.ceil(65_536 / unit.length));
    const spent = processorTimer();
    compressByRules(event("prompt_submit", { prompt: text }));
    compressByRules(event("post_tool_failure", { tool_name: "Bash", error: text }));
    compressByRules(
      event("post_tool_use", { tool_name: "Bash", tool_input: { command: text }, output: text }),
    );
    compressByRules(
      event("post_tool_use", { tool: "Edit", input: { old_string: text, new_string: `${text}x` } }),
    );
    expect(spent()).toBeLessThan(1000);
  });
});
