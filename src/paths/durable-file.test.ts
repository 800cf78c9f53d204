import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { replaceIf, replaceKeeping, writeDurably } from "./durable-file.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** For each flush of a file or of the folder: the names in the folder at that moment. */
let namesAtFlush: string[][] = [];
const { open } = promises;
replaceFunctions(promises, {
  open: async (...given) => {
    const file = await open(...given);
    const sync = file.sync.bind(file);
    file.sync = () => {
      namesAtFlush.push(readdirSync(folder));
      return sync();
    };
    return file;
  },
});

const at = (name: string) => join(folder, name);
const texts = { kept: "long", next: "short" };

test("a file is flushed before it gets its name, and its folder afterwards", async () => {
  namesAtFlush = [];
  await writeDurably(at("a.md"), "new");
  const unfinished = expect.stringMatching(/^a\.md\.memsvc-.*\.tmp$/u);
  expect(namesAtFlush).toEqual([[unfinished], ["a.md"]]);
});

describe("replacing a file and keeping its old text", () => {
  test("writes both texts completely before either gets its name", async () => {
    writeFileSync(at("a.md"), "long");
    let beside: string[] = [];
    const keptPath = () => {
      beside = readdirSync(folder).filter((name) => name !== "a.md");
      return at("a.original.md");
    };
    expect(await replaceKeeping(at("a.md"), texts, { mode: 0o600, keptPath })).toBe(at("a.original.md"));
    expect(beside).toEqual([expect.stringMatching(/\.tmp$/u), expect.stringMatching(/\.tmp$/u)]);
    expect(readdirSync(folder)).toEqual(["a.md", "a.original.md"]);
    expect(readFileSync(at("a.md"), "utf8")).toBe("short");
    expect(readFileSync(at("a.original.md"), "utf8")).toBe("long");
  });

  test("leaves nothing behind if it fails", async () => {
    mkdirSync(at("a.md"));
    const keptPath = () => at("a.original.md");
    await expect(replaceKeeping(at("a.md"), texts, { mode: 0o600, keptPath })).rejects.toMatchObject({
      path: at("a.md"),
    });
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });
});

test("a conditional replacement is decided after the new text is written", async () => {
  writeFileSync(at("a.md"), "old");
  const besides: number[] = [];
  const asked = (answer: boolean) => () => {
    besides.push(readdirSync(folder).length - 1);
    return answer;
  };
  expect(await replaceIf(at("a.md"), "new", { mode: 0o600, isMeant: asked(false) })).toBe(false);
  expect([readdirSync(folder), readFileSync(at("a.md"), "utf8")]).toEqual([["a.md"], "old"]);
  expect(await replaceIf(at("a.md"), "new", { mode: 0o600, isMeant: asked(true) })).toBe(true);
  expect([readdirSync(folder), readFileSync(at("a.md"), "utf8")]).toEqual([["a.md"], "new"]);
  expect(besides).toEqual([1, 1]);
});

// Only root may give files away.
describe.skipIf(process.getuid?.() !== 0)("a file that root writes for another user", () => {
  const other = 65_534;

  test("stays that user's if it replaces one of theirs", async () => {
    writeFileSync(at(".env"), "A=1");
    chownSync(at(".env"), other, other);
    await writeDurably(at(".env"), "A=2");
    expect(statSync(at(".env"))).toMatchObject({ uid: other, gid: other, mode: 0o100_600 });
  });

  test("is that user's if it is new in their folder", async () => {
    chownSync(folder, other, other);
    await writeDurably(at(".env"), "A=1");
    expect(statSync(at(".env"))).toMatchObject({ uid: other, gid: other });
  });
});
