import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { editorFolders, mayLeadToHistory } from "./editor-folders.ts";

const user = {
  linux: ".config/Code/User",
  darwin: "Library/Application Support/Code/User",
  win32: "AppData/Roaming/Code/User",
} as const;

/** A home with empty files of these names. */
function homeWith(...names: readonly string[]): string {
  const home = temporaryFolder();
  for (const name of names) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), "");
  }
  return home;
}

const task = "globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json";

test.each(["linux", "darwin", "win32"] as const)("histories in VS Code are found on %s", (platform) => {
  const home = homeWith(`${user[platform]}/${task}`);
  const place = { home, platform, env: {} };
  expect(editorFolders(place, "cline")).toEqual([join(home, user[platform])]);
  expect(editorFolders(place)).toEqual([join(home, user[platform])]);
  expect(editorFolders(place, "cursor")).toEqual([]);
});

test("other editors, servers and all agents are found, and editors without a history are not", () => {
  const home = homeWith(
    ".config/Code/User/settings.json",
    ".config/Code - Insiders/User/workspaceStorage/ab/chatSessions/1.json",
    ".config/Cursor/User/globalStorage/state.vscdb",
    ".config/VSCodium/User/globalStorage/state.vscdb",
    ".config/Windsurf/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json",
    ".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/1/ui_messages.json",
  );
  const place = { home, platform: "linux", env: {} } as const;
  const found = (agent?: string) => editorFolders(place, agent).map((path) => path.slice(home.length + 1));
  expect(found("vscode")).toEqual([".config/Code - Insiders/User"]);
  expect(found("cursor")).toEqual([".config/Cursor/User"]);
  expect(found("roo-code")).toEqual([".config/Windsurf/User"]);
  expect(found("kilo")).toEqual([".vscode-server/data/User"]);
  expect(found()).toHaveLength(4);
});

describe("in an editor's storage only what leads to histories is searched", () => {
  const beside = new Set(["globalStorage", "workspaceStorage", "History"]);
  test.each([
    ["globalStorage", ["User", "Code"], beside, true],
    ["History", ["User", "Code"], beside, false],
    ["saoudrizwan.claude-dev", ["globalStorage", "User"], new Set<string>(), true],
    ["ms-python.python", ["globalStorage", "User"], new Set<string>(), false],
    ["tasks", ["saoudrizwan.claude-dev", "globalStorage"], new Set<string>(), true],
    ["checkpoints", ["saoudrizwan.claude-dev", "globalStorage"], new Set<string>(), false],
    ["ab12", ["workspaceStorage", "User"], new Set<string>(), true],
    ["chatSessions", ["ab12", "workspaceStorage"], new Set<string>(), true],
    ["GitHub.copilot-chat", ["ab12", "workspaceStorage"], new Set<string>(), false],
    ["History", ["me", "home"], new Set<string>(), true],
  ])("%s in %j", (name, above, others, leads) => {
    expect(mayLeadToHistory(name, above, others)).toBe(leads);
  });
});
