import { expect, test } from "vitest";
import { namesStream } from "./stream-name.ts";

test.each([
  ["C:\\Users\\me\\memsvc.db::$DATA", true],
  ["C:\\Users\\me\\a.md:hidden", true],
  ["\\\\box\\share\\a.md:hidden", true],
  ["C:\\Users\\me\\a.md", false],
  ["\\\\?\\c:\\Users\\me\\a.md", false],
  ["\\\\box\\share\\a.md", false],
])("%s names a stream on Windows: %s", (path, expected) => {
  expect(namesStream(path, "win32")).toBe(expected);
  expect(namesStream(path, "linux")).toBe(false);
});
