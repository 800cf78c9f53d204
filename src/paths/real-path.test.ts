import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { confinedPath } from "./confined.ts";
import { projectFolderOf, projectNameOf } from "./project-folder.ts";

/*
 * A disk as on macOS: names match in any case, including letters that lower-casing alone keeps apart. The system's own
 * realpath returns names as they are stored, Node's as they were given.
 */
const { existsSync, lstatSync, realpathSync, statSync } = fs;
const found = (path: unknown) =>
  typeof path === "string"
    ? path.replace(/(?<=memsvc-disk-[^/]*\/).*/su, (names) => names.toUpperCase().toLowerCase())
    : path;
const everyCase = (work: (...args: never[]) => unknown) =>
  ((path: unknown, ...rest: never[]) => work(found(path) as never, ...rest)) as never;
const asGiven = (path: string) => {
  lstatSync(found(path) as string);
  return path;
};
replaceFunctions(fs, {
  existsSync: everyCase(existsSync),
  lstatSync: everyCase(lstatSync),
  statSync: everyCase(statSync),
  realpathSync: Object.assign(asGiven, { native: everyCase(realpathSync.native) }) as never,
});

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "memsvc-disk-"));
  for (const folder of ["home", ".ssh", "shop/.git", "shop/src"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["home/memsvc.db", ".ssh/known_hosts", "shop/src/a.ts"])
    writeFileSync(join(root, file), "");
});
afterAll(() => rmSync(root, { recursive: true }));

test("on a case-insensitive disk protected files are rejected in any case", () => {
  const confinement = { roots: [root], home: join(root, "home") };
  const asked = (path: string) => () => confinedPath(join(root, path), "read", confinement);
  for (const path of ["home/memsvc.db", "home/MEMSVC.DB", "HOME/Mem\u017fvc.db", ".S\u017fh/known_hosts"])
    expect(asked(path), path).toThrow(expect.objectContaining({ code: "forbidden" }));
  expect(asked("Shop/SRC/A.ts")()).toBe(join(root, "shop/src/a.ts"));
  const other = { roots: [join(root, "SHOP")], home: join(root, "home") };
  expect(confinedPath(join(root, "shop/src/a.ts"), "read", other)).toBe(join(root, "shop/src/a.ts"));
});

test("a store's file that does not exist yet is not created in another case either", () => {
  const confinement = { roots: [homedir()], home: join(homedir(), ".memsvc-none") };
  const asked = () => confinedPath("~/.memsvc-none/MEMSVC.DB", "write", confinement);
  expect(asked).toThrow(expect.objectContaining({ code: "forbidden" }));
});

test("on a case-insensitive disk a project is the same in any case", () => {
  expect(projectFolderOf(join(root, "SHOP", "src"))).toBe(join(root, "shop"));
  expect(projectNameOf(join(root, "shop", "src"))).toBe("shop");
  expect(projectNameOf(join(root, "SHOP", "src"))).toBe(join(root, "shop"));
});
