import { expect, test } from "vitest";
import { inShell, outOfShell } from "./shell-path.ts";

test("a path from Windows has slashes in a shell, any other stays", () => {
  expect(inShell("C:\\Users\\Ann O\\shop")).toBe("C:/Users/Ann O/shop");
  expect(inShell("\\\\box\\share")).toBe("//box/share");
  for (const path of ["/srv/a\\b", "C:/Users", "shop"]) expect(inShell(path)).toBe(path);
});

test("a drive in a path of Git Bash is found on Windows, and is a folder elsewhere", () => {
  expect(outOfShell("/c/code/shop", "win32")).toBe("c:/code/shop");
  expect(outOfShell("/D", "win32")).toBe("D:/");
  for (const path of ["/cc/work", "c/work", "//c/work"]) expect(outOfShell(path, "win32")).toBe(path);
  expect(outOfShell("/c/code/shop", "linux")).toBe("/c/code/shop");
});
