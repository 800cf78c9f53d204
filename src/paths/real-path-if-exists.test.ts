import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { realPath } from "./real-path.ts";
import { realPathIfExists } from "./real-path-if-exists.ts";

test("a path that leads to a file has its real path, and one that leads nowhere has none", () => {
  const folder = realPath(temporaryFolder());
  mkdirSync(join(folder, "here"));
  writeFileSync(join(folder, "here", "file"), "");
  symlinkSync(join(folder, "here"), join(folder, "link"));
  symlinkSync(join(folder, "gone"), join(folder, "broken"));
  symlinkSync(join(folder, "loop"), join(folder, "loop"));
  expect(realPathIfExists(join(folder, "link", "file"))).toBe(join(folder, "here", "file"));
  for (const nowhere of ["gone", "gone/file", "broken", "loop", "here/file/below", "long".repeat(80)])
    expect(realPathIfExists(join(folder, nowhere)), nowhere).toBeUndefined();
});
