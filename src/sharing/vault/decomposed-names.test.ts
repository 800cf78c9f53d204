import { linkSync, rmSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { replaceFunctions } from "../../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { presentNotes } from "./files.ts";
import { frontMatter } from "./front-matter.ts";

const composed = "gr\u00f6\u00dfe";
const apart = composed.normalize("NFD");

const { readdir } = fs;
/** A disk that lists names decomposed, as HFS+ does, but finds a file by either form. */
replaceFunctions(fs, {
  readdir: (async (folder: string, options: { withFileTypes: true }) => {
    const entries = await readdir(folder, options);
    return entries.filter(({ name }) => name === name.normalize("NFD"));
  }) as typeof readdir,
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of presentNotes(folder)) found.push(name);
  return found;
}

test("a note keeps the name that we gave it, even if the disk decomposes its letters", async () => {
  const note = (name: string) => join(folder, `${name}.md`);
  writeFileSync(note(composed), `${frontMatter({ memsvc: true, id: "mem_1", title: "Size" })}\n`);
  linkSync(note(composed), note(apart));
  expect(await names()).toEqual([composed]);
  // If the composed name is another file or none, the decomposed one is a note of its own.
  rmSync(note(composed));
  expect(await names()).toEqual([apart]);
});
