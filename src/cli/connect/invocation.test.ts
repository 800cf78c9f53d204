import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { hookCommand, invocationOf } from "./invocation.ts";
import { homesOf, parseCommand } from "./parse-command.ts";
import type { Places } from "./places.ts";

let folder: string;
let places: Places;

beforeEach(() => {
  folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  places = { platform: "win32", home: "/u", project: "/u/p", env: { PATH: folder } };
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const wordsFor = (byName: Parameters<typeof invocationOf>[1], where = places) =>
  invocationOf(where, byName, []);
const byPath = { program: [process.execPath, expect.stringMatching(/main\.cjs$/u)], flags: [] };

test("on Windows entries start npm's .cmd, because PowerShell would take the bare name for a script", () => {
  writeFileSync(join(folder, "memsvc.cmd"), "");
  expect(wordsFor("where found")).toEqual({ program: ["memsvc.cmd"], flags: [] });
  expect(wordsFor("always")).toEqual({ program: ["memsvc"], flags: [] });
  expect(wordsFor("never")).toEqual(byPath);
});

test("on Windows hooks name the Node that is in the PATH, because no shell needs quotes for that", () => {
  expect(wordsFor("where found")).toEqual(byPath);
  symlinkSync(process.execPath, join(folder, "node.exe"));
  const found = wordsFor("where found");
  expect(found).toEqual({ ...byPath, shellProgram: ["node", byPath.program[1]] });
  expect(hookCommand("codex", found)).toMatch(/^node "?\/.*main\.cjs"? observe --hook codex$/u);
  expect(wordsFor("never")).toEqual(byPath);
  expect(wordsFor("where found", { ...places, platform: "linux" })).toEqual(byPath);
});

test("on Windows hooks do not name a Node in the PATH that is another one", () => {
  writeFileSync(join(folder, "node.exe"), "");
  expect(wordsFor("where found")).toEqual(byPath);
});

test("a hook's command on Windows needs quotes only for spaces, in every shell", () => {
  vi.stubGlobal("process", { ...process, platform: "win32" });
  const command = (home: string) =>
    hookCommand("codex", { program: ["node", "C:\\m\\main.cjs"], flags: ["--home", home] });
  expect(command("D:\\memory")).toBe("node C:/m/main.cjs observe --hook codex --home D:/memory");
  expect(command("D:\\my memory")).toMatch(/ --home "D:\/my memory"$/u);
  expect(command("\\\\box\\memory")).toMatch(/ --home "\\\\box\\memory"$/u);
});

test("the home that a command names is the same, however the path is written", () => {
  const words = ["observe --hook codex --home /data/m", "observe --hook codex --home /data/x/../m/"];
  expect(homesOf(words.map(parseCommand))).toEqual(["/data/m"]);
});
