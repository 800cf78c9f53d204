import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replaceKeeping } from "./durable-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memsvc-durable-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const texts = { kept: "long", next: "short" };

describe("replacing a file of which the old text is kept", () => {
  test("has both texts whole on the disk before either gets its name", async () => {
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

  test("leaves nothing beside it when it fails", async () => {
    mkdirSync(at("a.md"));
    const keptPath = () => at("a.original.md");
    await expect(replaceKeeping(at("a.md"), texts, { mode: 0o600, keptPath })).rejects.toMatchObject({
      path: at("a.md"),
    });
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });
});
