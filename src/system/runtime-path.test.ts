import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { runtimePath } from "./runtime-path.ts";

let prefix: string;
beforeEach(() => {
  prefix = temporaryFolder();
});

test("a Homebrew runtime is named by a link that survives upgrades", () => {
  const program = join(prefix, "Cellar", "node@22", "22.1.0", "bin", "node");
  mkdirSync(join(program, ".."), { recursive: true });
  writeFileSync(program, "");
  expect(runtimePath(program)).toBe(program);
  mkdirSync(join(prefix, "opt"));
  symlinkSync("../Cellar/node@22/22.1.0", join(prefix, "opt", "node@22"));
  expect(runtimePath(program)).toBe(join(prefix, "opt", "node@22", "bin", "node"));
});

test("any other runtime is named by its own path", () => {
  expect(runtimePath("/u/.nvm/versions/node/v22.1.0/bin/node")).toBe(
    "/u/.nvm/versions/node/v22.1.0/bin/node",
  );
  expect(runtimePath()).toBe(process.execPath);
});
