import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { importPaths } from "./import-paths.ts";

const claude = ".claude/projects";
const codex = ".codex/sessions";

/** A user's home with these folders, in which all paths may be read. */
function homeWith(...folders: readonly string[]) {
  const home = temporaryFolder();
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  const place = { home, platform: "linux", env: {} } as const;
  return { place, at: (folder: string) => join(home, folder), may: { roots: [home], home: join(home, "m") } };
}

test("an import looks in Claude Code's folder, and in those of other agents only if all are meant", () => {
  const cursor = ".config/Cursor/User";
  const { place, at, may } = homeWith(claude, codex, ".pi/agent/sessions", "kept", `${cursor}/globalStorage`);
  writeFileSync(at(`${cursor}/globalStorage/state.vscdb`), "");
  const looked = (asked: Parameters<typeof importPaths>[0]) => importPaths(asked, place, may).paths;
  const others = [at(codex), at(".pi/agent/sessions"), at(cursor)];
  expect(looked({})).toEqual([at(claude)]);
  expect(looked({ allAgents: true })).toEqual([at(claude), ...others]);
  expect(looked({ path: at("kept"), allAgents: true })).toEqual([at("kept"), ...others]);
});

test("a folder of another agent that is out of reach is told, one that was named is an error", () => {
  const { place, at, may } = homeWith(claude, ".codex");
  symlinkSync(temporaryFolder(), at(codex));
  const { paths, problems } = importPaths({ allAgents: true }, place, may);
  expect(paths).toEqual([at(claude)]);
  expect(problems).toEqual([{ path: at(codex), error: expect.stringContaining("outside the folders") }]);
  expect(() => importPaths({ path: at(codex) }, place, may)).toThrow("outside the folders");
});

test.each([
  [[], { allAgents: true }, "name a transcript, or a folder of them"],
  [[codex], {}, "memsvc replay import ~/.codex/sessions"],
  [[codex, ".qwen/projects"], {}, "memsvc replay import --all-agents"],
])("where there is nothing to look at, the error says what to do: %j %j", (folders, asked, hint) => {
  const { place, may } = homeWith(...folders);
  expect(() => importPaths(asked, place, may)).toThrow(
    expect.objectContaining({ code: "not_found", hint: expect.stringContaining(hint) }),
  );
});
