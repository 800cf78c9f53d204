import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { expandHome } from "../../paths/expand-home.ts";
import { waysToName } from "../init/home-step.ts";
import { withDefaults } from "./default-input.ts";
import { operationInput } from "./operation-input.ts";

const command = { command: "", usage: "", positionals: [], flags: [] } as unknown as Parameters<
  typeof operationInput
>[0];

test("Windows paths with backslashes are resolved like those with slashes", async () => {
  const flags = [{ field: "vaultDir", name: "vault-dir", kind: "string" }];
  const input = operationInput({ ...command, flags } as unknown as typeof command, [], {
    vaultDir: ".\\notes",
  });
  expect(input.vaultDir).toBe(resolve(".\\notes"));
  expect(expandHome("~\\notes").startsWith(homedir())).toBe(true);
  const defaults = {
    cwd: "/work",
    projectOf: () => "p",
    newSessionId: () => "s",
    stdin: async () => "",
    stdinIsPiped: () => false,
    rows: undefined,
  };
  const moved = await withDefaults("projects.move", { from: "~\\shop", to: "shop" }, defaults);
  expect(moved).toEqual({ from: "~\\shop", to: join("/work", "shop") });
});

test("the hint to name the home uses setx on Windows and export elsewhere", () => {
  expect(waysToName("C:\\m", "win32")).toContain('setx MEMSVC_HOME "C:\\m"');
  expect(waysToName("/m", "linux")).toContain('export MEMSVC_HOME="/m"');
});
