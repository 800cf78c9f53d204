import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { fileOf, nativePackage } from "./native-package.ts";
import { currentTarget } from "./native-target.ts";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

const target = "@libsql/any-target";

function put(folder: string, file: string): string {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, file), "");
  return join(root, folder, file);
}

test("the native file is found beside libsql in a folder above the program", () => {
  const file = put("node_modules/@libsql/any-target", "index.node");
  put("node_modules/libsql", "index.js");
  put("node_modules/memsvc/dist", "main.cjs");
  expect(fileOf(target, join(root, "node_modules/memsvc/dist"))).toBe(file);
});

test("libsql's own copy wins over one of another version beside it", () => {
  put("node_modules/@libsql/any-target", "index.node");
  const own = put("node_modules/libsql/node_modules/@libsql/any-target", "index.node");
  expect(fileOf(target, join(root, "node_modules/memsvc/dist"))).toBe(own);
});

test("with isolated packages the copy beside the real libsql wins over a nearer one", () => {
  put("store/node_modules/@libsql/any-target", "index.node");
  put("store/libsql@1/node_modules/libsql", "index.js");
  const beside = put("store/libsql@1/node_modules/@libsql/any-target", "index.node");
  mkdirSync(join(root, "store/memsvc@1/node_modules/memsvc/dist"), { recursive: true });
  symlinkSync(
    join(root, "store/libsql@1/node_modules/libsql"),
    join(root, "store/memsvc@1/node_modules/libsql"),
  );
  expect(fileOf(target, join(root, "store/memsvc@1/node_modules/memsvc/dist"))).toBe(beside);
});

test("returns no file if the package is elsewhere", () => {
  put("node_modules/libsql", "index.js");
  expect(fileOf(target, join(root, "node_modules/memsvc/dist"))).toBeUndefined();
});

test("a native package that is not installed is reported with a hint", () => {
  expect(() => nativePackage("darwin-none")).toThrow(
    expect.objectContaining({
      code: "unavailable",
      message: expect.stringMatching(/@libsql\/darwin-none, cannot be loaded: Cannot find module '[^\n]+$/u),
      hint: expect.stringContaining("npm install"),
    }),
  );
});

test.each([
  ["Cannot load native addon because loading addons is disabled.", "ERR_DLOPEN_DISABLED", /--no-addons/u],
  ["index.node: failed to map segment from shared object", "ERR_DLOPEN_FAILED", /noexec/u],
  ["index.node: invalid ELF header", "ERR_DLOPEN_FAILED", /^install memsvc anew on this machine/u],
])(
  "a native package that fails to load (%s) is reported with a fitting hint",
  async (message, code, hint) => {
    const dlopen = vi.spyOn(process, "dlopen").mockImplementation(() => {
      throw Object.assign(new Error(message), { code });
    });
    vi.resetModules();
    const anew = await import("./native-package.ts");
    expect(() => anew.nativePackage(currentTarget())).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        hint: expect.stringMatching(hint),
      }),
    );
    dlopen.mockRestore();
  },
);
