import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";
import { storedObservations } from "./stored-observations.ts";

const sandbox = forAllTests(openSandbox);

beforeAll(buildOnce);

describe("agents that run the hooks of another agent's settings", () => {
  test("Cursor's own hooks and those for Claude Code record each event once", async () => {
    await sandbox.runHere(["remember", "Retries use full jitter", "--project", "twice"]);
    const common = { conversation_id: "of-cursor", generation_id: "g", workspace_roots: ["/code/twice"] };
    const told = { ...common, session_id: "of-cursor", cursor_version: "3.1" };
    const env = { MEMSVC_INJECT_CONTEXT: "true" };
    const both = (more: object) =>
      Promise.all(
        ["cursor", "claude-code"].map((agent) =>
          sandbox.run(["observe", "--hook", agent], { stdin: JSON.stringify({ ...told, ...more }), env }),
        ),
      );
    const started = await both({ hook_event_name: "sessionStart", is_background_agent: false });
    const replies = started.map(({ stdout }) => Object.keys(JSON.parse(stdout) as object));
    expect(replies).toEqual([["additional_context"], []]);
    const call = { tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "t", duration: 12 };
    for (const hook_event_name of ["postToolUse", "sessionEnd"])
      expect((await both({ hook_event_name, ...call })).map(({ stdout }) => stdout)).toEqual([
        "{}\n",
        "{}\n",
      ]);
    expect((await storedObservations(sandbox, "of-cursor")).map(({ hookType }) => hookType)).toEqual([
      "session_start",
      "post_tool_use",
      "session_end",
    ]);
  });

  test("the Claude Code hook captures the events of VS Code and ends the session with the turn", async () => {
    const common = { timestamp: new Date().toISOString(), sessionId: "of-vscode", cwd: "/code/rename" };
    for (const [hookEventName, more] of [
      ["SessionStart", { source: "new" }],
      ["UserPromptSubmit", { prompt: "Rename the cart" }],
      ["Stop", { stop_hook_active: false }],
    ] as const) {
      const stdin = JSON.stringify({ ...common, hookEventName, ...more });
      const run = await sandbox.runHere(["observe", "--hook", "claude-code", "--strict"], { stdin });
      expect(run).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    }
    expect((await storedObservations(sandbox, "of-vscode")).map(({ title }) => title)).toEqual([
      "Session start: new",
      "Rename the cart",
      "Stop",
    ]);
    const { stdout } = await sandbox.runHere(["session", "list", "--project", "rename", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: "of-vscode", status: "completed" }] });
  });
});
