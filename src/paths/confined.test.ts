import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { confinedPath } from "./confined.ts";

let folder: string;
let root: string;
let home: string;
beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, "root");
  home = join(root, "home");
  mkdirSync(join(root, "docs"), { recursive: true });
  mkdirSync(home);
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(root, "docs", "a.md"), "a");
  writeFileSync(join(folder, "outside", "b.md"), "b");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const read = (path: string, cwd?: string) => confinedPath(path, "read", { roots: [root], home, cwd });
const write = (path: string) => confinedPath(path, "write", { roots: [root], home });
const forbidden = expect.objectContaining({ code: "forbidden" });

test("a path in an allowed root is resolved, from the request's folder if it is relative", () => {
  expect(read(join(root, "docs", "a.md"))).toBe(join(root, "docs", "a.md"));
  expect(read("a.md", join(root, "docs"))).toBe(join(root, "docs", "a.md"));
  expect(read(join(root, "docs", "..", "docs", "a.md"))).toBe(join(root, "docs", "a.md"));
});

test.each(["../outside/b.md", "docs/../../outside/b.md", "/etc/passwd", "../root-of-another/x.md"])(
  "%s leaves the roots and is rejected",
  (path) => {
    expect(() => read(path, root)).toThrow(forbidden);
    expect(() => write(resolve(root, path))).toThrow(forbidden);
  },
);

test("the hint of a rejection keeps the folders that are allowed now", () => {
  const outside = resolve("/etc/passwd");
  const refused = (roots: readonly string[]) => () => confinedPath(outside, "read", { roots, home });
  const hint = (text: string) => expect.objectContaining({ hint: expect.stringContaining(text) });
  expect(refused([])).toThrow(hint('memsvc config set MEMSVC_ALLOWED_ROOTS "~,<folder>"'));
  expect(refused([root])).toThrow(hint("memsvc config get MEMSVC_ALLOWED_ROOTS"));
  expect(refused([root])).not.toThrow(hint("your home"));
});

test("a path below a root that does not exist yet is allowed, and none beside it or through a broken link", () => {
  const later = join(root, "docs", "later");
  const below = (path: string, roots = [later]) => confinedPath(path, "write", { roots, home });
  expect(below(join(later, "vault", "new.md"))).toBe(join(later, "vault", "new.md"));
  expect(() => below(join(root, "docs", "new.md"))).toThrow(forbidden);
  expect(() => below(join(`${later}-on`, "new.md"))).toThrow(forbidden);
  symlinkSync(join(folder, "outside", "none"), join(root, "broken"));
  expect(() => below(join(root, "broken", "new.md"), [join(root, "broken")])).toThrow(forbidden);
  expect(below(join(later, "new.md"), [join(root, "broken"), later])).toBe(join(later, "new.md"));
});

test("a link that leads out of the roots is rejected, for a file and for a folder on the way", () => {
  symlinkSync(join(folder, "outside"), join(root, "way-out"));
  symlinkSync(join(folder, "outside", "b.md"), join(root, "b.md"));
  symlinkSync(join(folder, "outside", "missing.md"), join(root, "nowhere.md"));
  expect(() => read(join(root, "way-out", "b.md"))).toThrow(forbidden);
  expect(() => read(join(root, "b.md"))).toThrow(forbidden);
  expect(() => write(join(root, "way-out", "new.md"))).toThrow(forbidden);
  expect(() => write(join(root, "nowhere.md"))).toThrow(forbidden);
});

test("nothing is written through a link, even inside the roots", () => {
  symlinkSync(join(root, "docs", "a.md"), join(root, "link.md"));
  expect(read(join(root, "link.md"))).toBe(join(root, "docs", "a.md"));
  expect(() => write(join(root, "link.md"))).toThrow(forbidden);
});

const sensitiveNames =
  ".ssh .gnupg .AWS .azure .kube .docker .password-store .netrc .npmrc .pypirc credentials credentials.json " +
  "token tokens token.json .env.local id_rsa.md id_ed25519 id_ecdsa.pub my-secrets aws_credentials.md " +
  "my_private_key.md server.PEM a.key a.p12 a.pfx a.kdbx";

test.each([...sensitiveNames.split(" "), ".ssh/config", "my-secrets/x.md"])(
  "%s has a sensitive name and is rejected, whether it exists or not",
  (path) => {
    expect(() => read(join(root, path))).toThrow(forbidden);
    expect(() => write(join(root, path))).toThrow(forbidden);
  },
);

test("the service's own database is rejected however it is named", () => {
  writeFileSync(join(home, "memsvc.db"), "");
  symlinkSync(join(home, "memsvc.db"), join(root, "copy.json"));
  expect(() => read(join(home, "memsvc.db"))).toThrow(forbidden);
  expect(() => read(join(home, "memsvc.db-wal"))).toThrow(forbidden);
  expect(() => write(join(home, "memsvc.lock"))).toThrow(forbidden);
  // Windows and macOS find it in any case.
  expect(() => read(join(home, "MemSvc.DB"))).toThrow(forbidden);
  expect(() => read(join(root, "copy.json"))).toThrow(forbidden);
  symlinkSync(home, join(root, "linked-home"));
  for (const way of [home, join(root, "linked-home")])
    expect(() =>
      confinedPath(join(way, "memsvc.db"), "read", { roots: [root], home: join(root, "linked-home") }),
    ).toThrow(forbidden);
});

test("on Windows a file's streams are rejected, through which any file could be named in another way", () => {
  const streams = ["home/memsvc.db::$DATA", "docs/a.md:hidden"].map((path) => join(root, path));
  for (const path of streams)
    expect(() => read(path)).toThrow(expect.objectContaining({ code: "not_found" }));
  vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32" }, process));
  for (const path of streams) expect(() => read(path)).toThrow(forbidden);
});

test("a missing file is not found for reading, and may be written", () => {
  expect(() => read(join(root, "docs", "new.md"))).toThrow(expect.objectContaining({ code: "not_found" }));
  expect(write(join(root, "docs", "deeper", "new.md"))).toBe(join(root, "docs", "deeper", "new.md"));
});

test("the hint for a missing relative path names the folder that was searched", () => {
  const missing = (cwd?: string) => () =>
    confinedPath("no-such-notes.md", "read", { roots: [process.cwd(), root], home, cwd });
  expect(missing()).toThrow(expect.objectContaining({ hint: expect.stringContaining(process.cwd()) }));
  expect(missing(root)).toThrow(expect.objectContaining({ hint: "check the path" }));
});

test("an overlong name counts as missing inside the roots and as forbidden outside", () => {
  const name = "x".repeat(300);
  expect(() => read(join(root, "docs", name))).toThrow(expect.objectContaining({ code: "not_found" }));
  expect(() => read(join(folder, "outside", name))).toThrow(forbidden);
});

test("the store in use is rejected as such, also by way of a link", () => {
  writeFileSync(join(home, "memsvc.db"), "");
  symlinkSync(join(home, "memsvc.db"), join(root, "docs", "linked.db"));
  const itself = expect.objectContaining({
    code: "forbidden",
    message: expect.stringContaining("is the store in use"),
  });
  expect(() => read(join(home, "memsvc.db"))).toThrow(itself);
  expect(() => read(join(root, "docs", "linked.db"))).toThrow(itself);
  expect(() => write(join(home, "memsvc.db-wal"))).toThrow(itself);
});
