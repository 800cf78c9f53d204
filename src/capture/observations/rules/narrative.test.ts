import { describe, expect, test } from "vitest";
import { compressByRules } from "./compress.ts";

const narrative = (hookType: string, data: unknown): string =>
  compressByRules({ hookType, sessionId: "s1", project: "shop", cwd: "/p", timestamp: 0, data }).narrative;

describe("narratives", () => {
  test("of a prompt are its text, at most 1 000 code points", () => {
    expect(narrative("prompt_submit", { prompt: "Add a cart.\nAnd tests." })).toBe("Add a cart.\nAnd tests.");
    expect([...narrative("prompt_submit", { prompt: "😀".repeat(3000) })]).toHaveLength(1000);
  });

  test("of a tool are its input and output", () => {
    const data = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: { stdout: "a\nb" } };
    expect(narrative("post_tool_use", data)).toBe("ls → a\nb");
  });

  test("of an answer are the assistant's text", () => {
    expect(narrative("stop", { last_assistant_message: "All done." })).toBe("All done.");
  });

  test("of the conversation tool are both sides", () => {
    const data = { tool: "conversation", input: "Where is it?", output: "In src." };
    expect(narrative("post_tool_use", data)).toBe("Where is it? → In src.");
  });

  test("of a change leave out an output that only confirms it, and so do its concepts", () => {
    const changed = compressByRules({
      ...{ hookType: "post_tool_use", sessionId: "s1", project: "shop", cwd: "/p", timestamp: 0 },
      data: {
        tool_name: "replace",
        tool_input: { file_path: "/p/src/cart.ts", old_string: "rate", new_string: "vat" },
        tool_response: { llmContent: "Successfully modified file: /p/src/cart.ts (1 replacements)." },
      },
    });
    expect(changed.narrative).toBe("old: rate new: vat");
    expect(changed.concepts).toEqual(
      expect.not.arrayContaining(["successfully", "modified", "replacements"]),
    );
  });

  test.each([
    ["stop", (text: string) => ({ last_assistant_message: text })],
    ["post_tool_use", (stdout: string) => ({ tool: "Bash", input: {}, output: { stdout } })],
    ["post_tool_failure", (error: string) => ({ tool: "Bash", input: {}, error })],
  ])("of a %s longer than 64 KiB have no half of a character", (hookType, dataOf) => {
    for (const start of ["", "x"])
      expect(narrative(hookType, dataOf(`${start}${"😀".repeat(70_000)}`)).isWellFormed()).toBe(true);
  });

  test("of a change tell an output that says more", () => {
    const data = {
      tool_name: "replace",
      tool_input: { file_path: "/p/src/cart.ts", old_string: "rate", new_string: "vat" },
      tool_response: "Edit applied successfully.\nERROR [3:1] cannot find name 'vat'",
    };
    expect(narrative("post_tool_use", data)).toContain("cannot find name 'vat'");
  });

  test("of a long output are its error lines, first 300 and last 500 characters", () => {
    const head = "h".repeat(300);
    const tail = "t".repeat(500);
    const stdout = `${head}${"\nfiller".repeat(500)}\nTypeError: x is undefined\n${"\nfiller".repeat(500)}\n${tail}`;
    const shown = narrative("post_tool_use", {
      tool: "Bash",
      input: { command: "npm start" },
      output: { stdout },
    });
    expect(shown.startsWith(`npm start → TypeError: x is undefined\n${head} … `)).toBe(true);
    expect(shown.endsWith(tail)).toBe(true);
    expect([...shown].length).toBeLessThanOrEqual(1000);
  });

  test("cut a long output between words", () => {
    const stdout = `${"Compiled module ".repeat(200)}`;
    const shown = narrative("post_tool_use", {
      tool: "Bash",
      input: { command: "make" },
      output: { stdout },
    });
    expect(shown).toMatch(/ (?:Compiled|module) … (?:Compiled|module) /);
  });

  test("of a web search are the titles, addresses and texts of its hits", () => {
    const content = [{ title: "Credo", url: "https://hexdocs.pm/credo" }];
    const output = { query: "credo", results: [{ tool_use_id: "srv_1", content }, "Credo checks style."] };
    expect(narrative("post_tool_use", { tool: "WebSearch", input: { query: "credo" }, output })).toBe(
      "credo → Credo https://hexdocs.pm/credo\nCredo checks style.",
    );
  });

  test("of a search for files are the files it found, also if there are none", () => {
    const search = (filenames: string[]) => {
      const output = { mode: "files_with_matches", filenames, numFiles: filenames.length };
      return narrative("post_tool_use", { tool: "Grep", input: { pattern: "withRetry" }, output });
    };
    expect(search(["src/net/retry.ts", "src/net/http.ts"])).toBe(
      "withRetry → src/net/retry.ts\nsrc/net/http.ts",
    );
    expect(search([])).toBe("withRetry");
  });

  test("keep the output's head and tail beside a long input and long error lines", () => {
    const stdout = `${"h".repeat(300)}\n${"error: everything is broken ".repeat(40)}\n${"z".repeat(900)}`;
    const data = { tool: "Bash", input: { command: "c".repeat(900) }, output: { stdout } };
    const shown = narrative("post_tool_use", data);
    expect(shown).toContain("h".repeat(300));
    expect(shown.endsWith("z".repeat(500))).toBe(true);
    expect([...shown].length).toBeLessThanOrEqual(1000);
  });

  test("of an edit omit the edit that the tool echoes", () => {
    const input = { file_path: "a.ts", old_string: "1", new_string: "2" };
    const output = { filePath: "a.ts", oldString: "1", newString: "2" };
    expect(narrative("post_tool_use", { tool: "Edit", input, output })).toBe("old: 1 new: 2");
  });

  test("of a new file omit the content that the tool echoes", () => {
    const input = { file_path: "/p/a.ts", content: "export const a = 1;\n" };
    const output = { type: "create", filePath: "/p/a.ts", content: input.content, structuredPatch: [] };
    expect(narrative("post_tool_use", { tool: "Write", input, output })).toBe("export const a = 1;");
  });

  test("of a command omit an empty description", () => {
    const data = { tool: "Bash", input: { command: "npm test", description: "" }, output: { stdout: "ok" } };
    expect(narrative("post_tool_use", data)).toBe("npm test → ok");
  });

  test("of an edit show the changed lines, and both sides when much is removed", () => {
    const edit = (old_string: string, new_string: string) =>
      narrative("post_tool_use", {
        tool: "Edit",
        input: { file_path: "/w/a.ts", old_string, new_string, replace_all: false },
      });
    expect(edit("import b;\nlet x = 1;\nend", "import b;\nlet x = 2;\nlet y;\nend")).toBe(
      "old: let x = 1; new: let x = 2; let y;",
    );
    expect(edit("a\nb", "a\nc\nb")).toBe("new: c");
    expect(edit("a\nb", "a")).toBe("old: b");
    expect(edit("gone ".repeat(400), "come ".repeat(400))).toMatch(/^old: gone .*… new: come .*…$/u);
    expect([...edit("gone ".repeat(400), "come ".repeat(400))].length).toBeLessThanOrEqual(1000);
    expect(edit("gone ".repeat(400), "come")).toMatch(/… new: come$/u);
    expect(edit("a", "a")).toBe("file_path: /w/a.ts, old_string: a, new_string: a, replace_all: false");
    const file = { file_path: "/w/a.ts", content: "let x;\nlet y;" };
    expect(narrative("post_tool_use", { tool: "Write", input: file })).toBe("let x; let y;");
  });

  test("of a command are its line and purpose, of any other input all fields", () => {
    const run = (input: object) => narrative("post_tool_use", { tool: "Bash", input });
    expect(run({ command: "npm test", description: "Run tests", timeout: 9 })).toBe("npm test (Run tests)");
    expect(run({ command: "npm test", timeout: 9 })).toBe("npm test");
    expect(run({ command: "npm test", cwd: "/w" })).toBe("command: npm test, cwd: /w");
    const issue = { path: "a.md", title: "Crash", content: "It fell." };
    expect(narrative("post_tool_use", { tool: "update_issue", input: issue })).toContain("title: Crash");
  });

  test("are never blank", () => {
    expect(narrative("session_end", {})).toBe("Session end");
    expect(narrative("task_completed", { subject: "Cart", description: "With tests" })).toBe(
      "Cart\nWith tests",
    );
  });
});
