import { expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { picked, read } from "./hook-fixture.ts";

const gemini = (hook_event_name: string, more: Record<string, unknown>) => ({
  session_id: "g-1",
  transcript_path: "/home/ann/.gemini/tmp/shop/chats/session-g-1.jsonl",
  cwd: "/fallback",
  hook_event_name,
  timestamp: "2026-07-03T16:45:48.476Z",
  ...more,
});

const afterTool = (tool_name: string, tool_input: object, tool_response: object, more: object = {}) =>
  gemini("AfterTool", { tool_name, tool_input, tool_response, ...more });

const told = (payload: Record<string, unknown>) => {
  const input = read(payload);
  return compressByRules({ ...input, timestamp: Date.parse(input.timestamp) });
};

test("removes the hook context that precedes a prompt", () => {
  const context =
    '<hook_context>&lt;memsvc-context project="shop"&gt;\n- [fact] Always run make turbine first\n&lt;/memsvc-context&gt;</hook_context>\n\n';
  const prompt = `${context}Add a cart\n\nwith <b>totals</b>`;
  expect(read(gemini("BeforeAgent", { prompt })).data.prompt).toBe("Add a cart\n\nwith <b>totals</b>");
  expect(told(gemini("BeforeAgent", { prompt }))).toMatchObject({ title: "Add a cart", facts: [] });
  const answered = read(gemini("AfterAgent", { prompt, prompt_response: "Added." })).data;
  expect(answered).toMatchObject({
    prompt: "Add a cart\n\nwith <b>totals</b>",
    assistantResponse: "Added.",
  });
  const typed = "What is <hook_context>a</hook_context>?";
  expect(read(gemini("BeforeAgent", { prompt: typed })).data.prompt).toBe(typed);
});

test("removes the contents of referenced files from a prompt", () => {
  const files =
    "\n--- Content from referenced files ---\nContent from @RULES.md:\nYou must never use tabs.\n--- End of content ---";
  const prompt = `Look at @RULES.md and say${files}`;
  expect(told(gemini("BeforeAgent", { prompt }))).toMatchObject({
    narrative: "Look at @RULES.md and say",
    facts: [],
  });
  expect(read(gemini("AfterAgent", { prompt, prompt_response: "Done." })).data.prompt).toBe(
    "Look at @RULES.md and say",
  );
});

test("strips the wrapper and the process group id from command output", () => {
  const run = (said: string, returnDisplay = said) =>
    picked(
      afterTool(
        "run_shell_command",
        { command: "npm test", description: "Run the tests" },
        {
          llmContent: `<untrusted_context>\n${said}\n</untrusted_context>`,
          returnDisplay,
        },
      ),
    );
  expect(run("Output: 12 passed\nProcess Group PGID: 3039").outputText).toBe("12 passed");
  expect(run("Output: (empty)\nProcess Group PGID: 3039", "").outputText).toBe("");
  expect(run("Output: cannot find module zonk\nExit Code: 3\nProcess Group PGID: 3069")).toMatchObject({
    outputText: "cannot find module zonk",
    exitCode: 3,
  });
  const inBackground =
    "Output: listening\nExit Code: 130\nBackground PIDs: 3070, 3071\nProcess Group PGID: 3069";
  expect(run(inBackground)).toMatchObject({
    outputText: "listening\nBackground PIDs: 3070, 3071",
    exitCode: 130,
  });
  expect(run("Command was cancelled by user before it could complete.").outputText).toBe(
    "Command was cancelled by user before it could complete.",
  );
});

test("tells the exit code of a command whose output could be a file that names one", () => {
  const said = "Output: cat: notes.md: No such file or directory\nExit Code: 1\nProcess Group PGID: 17";
  const shown = { llmContent: said, returnDisplay: "cat: notes.md: No such file or directory" };
  expect(told(afterTool("run_shell_command", { command: "cat notes.md" }, shown)).title).toBe(
    "cat notes.md (exit 1)",
  );
});

test("tells of a command that failed and printed nothing only that", () => {
  const shown = {
    llmContent: "Output: (empty)\nExit Code: 1\nProcess Group PGID: 17",
    returnDisplay: "Command exited with code: 1",
  };
  const { title, facts, narrative } = told(afterTool("run_shell_command", { command: "npm test" }, shown));
  expect({ title, facts, narrative }).toEqual({
    title: "npm test (exit 1)",
    facts: ["exit code: 1", "command: npm test"],
    narrative: "npm test",
  });
});

test("leaves a file that ends like a failed command whole", () => {
  const llmContent = "a log\nExit Code: 1";
  const data = read(afterTool("read_file", { file_path: "run.log" }, { llmContent })).data;
  expect(data).toMatchObject({ tool_response: { llmContent } });
  expect(data).not.toHaveProperty("exitCode");
});

test("discards the terminal screen of a command, whose lines split a secret in two", () => {
  const secret = `sk-ant-api03-${"QQwertyuiopasdfghjklzxcvbnm0123456789".repeat(2)}`;
  const cells = (text: string) => [
    { text, bold: false, inverse: false, isUninitialized: false, fg: "", bg: "" },
  ];
  const said = `<untrusted_context>\nOutput: ${secret}\nProcess Group PGID: 1\n</untrusted_context>`;
  const screen = [cells(secret.slice(0, 15)), cells(secret.slice(15))];
  const shown = afterTool(
    "run_shell_command",
    { command: "cat keys" },
    { llmContent: said, returnDisplay: screen },
  );
  expect(read(shown).data.tool_response).toEqual({ llmContent: secret });
});

test("lists a written file only once", () => {
  const returnDisplay = {
    fileDiff: "--- hello.ts\tOriginal\n+++ hello.ts\tWritten\n@@ -0,0 +1,1 @@\n+export {};\n",
    ...{ fileName: "hello.ts", filePath: "/fallback/src/hello.ts" },
    ...{ originalContent: "", newContent: "export {};\n", isNewFile: true, isBuildFile: false },
  };
  const llmContent = "Successfully created and wrote to new file: /fallback/src/hello.ts.";
  const input = { file_path: "src/hello.ts", content: "export {};\n" };
  expect(told(afterTool("write_file", input, { llmContent, returnDisplay }))).toMatchObject({
    title: "Wrote src/hello.ts",
    facts: ["changed file: src/hello.ts"],
    files: ["src/hello.ts"],
  });
});

test("names an MCP tool by its server's name and its own", () => {
  const call = { tool_name: "mcp_issue_desk_create_issue", tool_input: { about: "The cart is slow" } };
  const mcp_context = { server_name: "issue_desk", tool_name: "create_issue", command: "desk", args: [] };
  expect(picked(gemini("BeforeTool", { ...call, mcp_context })).toolName).toBe(
    "mcp__issue_desk__create_issue",
  );
  const answered = afterTool(
    call.tool_name,
    call.tool_input,
    {
      llmContent: [{ text: "<untrusted_context>\nissue 12\n</untrusted_context>" }],
      returnDisplay: "issue 12",
    },
    { mcp_context },
  );
  expect(picked(answered)).toMatchObject({
    toolName: "mcp__issue_desk__create_issue",
    outputText: "issue 12",
  });
});

test("records the MCP server's error instead of the failed call around it", () => {
  const said = { error: "memory mem_nope is not known", status: 404 };
  const response = { content: [{ type: "text", text: JSON.stringify(said) }], isError: true };
  const message = `MCP tool 'memory_get' reported tool error for function call: {"name":"memory_get","args":{"memoryId":"mem_nope"}} with response: ${JSON.stringify([{ functionResponse: { name: "memory_get", response } }])}`;
  const failed = (error: object) =>
    afterTool(
      "mcp_memsvc_memory_get",
      { memoryId: "mem_nope" },
      {
        llmContent: message,
        returnDisplay: "Error: MCP tool 'memory_get' reported an error.",
        error,
      },
    );
  expect(picked(failed({ message, type: "mcp_tool_error" })).error).toBe(JSON.stringify(said));
  const cut = message.slice(0, -10);
  expect(picked(failed({ message: cut, type: "mcp_tool_error" })).error).toBe(cut);
});

test("does not take a directory listing for a list of files", () => {
  const listed = afterTool(
    "list_directory",
    { dir_path: "lib" },
    {
      llmContent: "Directory listing for /fallback/lib:\n[DIR] src\nREADME.md (7 bytes)",
      returnDisplay: { summary: "Found 2 item(s).", files: ["[DIR] src", "README.md"] },
    },
  );
  expect(told(listed).files).toEqual([]);
});

test("takes the output of a command that comes in parts", () => {
  const parts = afterTool("run_shell_command", { command: "ls" }, { llmContent: [{ text: "a.ts" }, "b.ts"] });
  expect(picked(parts).outputText).toBe("a.ts\nb.ts");
});

test("takes the files that a tool displays, but not the entries of a folder", () => {
  const shown = (tool: string) =>
    picked(afterTool(tool, {}, { llmContent: "2 files", returnDisplay: { files: ["a.ts", "b.ts"] } })).files;
  expect([shown("read_many_files"), shown("list_directory")]).toEqual([["a.ts", "b.ts"], []]);
});
