import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { historyHint } from "./history-hint.ts";

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

test("Agents that were used before are told how to import what they did", () => {
  const home = temporaryFolder();
  const places = { home, project: home, env: {}, platform: "linux" } as const;
  expect(historyHint(named("claude-code", "codex", "cursor"), places)).toBeUndefined();
  mkdirSync(join(home, ".claude/projects"), { recursive: true });
  mkdirSync(join(home, ".codex/sessions"), { recursive: true });
  expect(historyHint(named("cursor", "droid"), places)).toBeUndefined();
  const said = "earlier sessions are not known yet; to import their transcripts: memsvc replay import";
  expect(historyHint(named("claude-code", "cursor"), places)).toBe(said);
  expect(historyHint(named("codex", "droid"), places)).toBe(`${said} ~/.codex/sessions`);
  expect(historyHint(named("claude-code", "codex"), places)).toBe(`${said} --all-agents`);
});

test("Histories in editors count, too, each editor once", () => {
  const home = temporaryFolder();
  const places = { home, project: home, env: {}, platform: "darwin" } as const;
  const user = join(home, "Library/Application Support/Code/User");
  mkdirSync(join(user, "globalStorage/saoudrizwan.claude-dev/tasks"), { recursive: true });
  mkdirSync(join(user, "workspaceStorage/ab/chatSessions"), { recursive: true });
  expect(historyHint(named("cline", "vscode"), places)).toBe(
    'earlier sessions are not known yet; to import their transcripts: memsvc replay import "~/Library/Application Support/Code/User"',
  );
});
