import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { textLines } from "./text-lines.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "lines");
});

async function linesOf(text: string): Promise<(string | undefined)[]> {
  writeFileSync(path, text);
  return linesInFile();
}

async function linesInFile(): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const line of textLines(path)) lines.push(line);
  return lines;
}

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\nb\n", ["a", "b"]],
  ["\n\na", ["", "", "a"]],
  ["a\r\nb", ["a\r", "b"]],
  ["\ufeffa\n\ufeffb", ["a", "\ufeffb"]],
])("the text %j has the lines %j", async (text, expected) => {
  expect(await linesOf(text)).toEqual(expected);
});

test("keeps characters of several bytes whole across the file's chunks", async () => {
  const lines = Array.from({ length: 9_000 }, (_, at) => `${"🙂é".repeat(3)}${at}`);
  expect(await linesOf(lines.join("\n"))).toEqual(lines);
});

test("yields undefined for a line of more than 32 MiB and reads the lines around it", async () => {
  const file = openSync(path, "w");
  writeSync(file, "before\n");
  const piece = "x".repeat(1_048_576);
  for (let written = 0; written < 33; written += 1) writeSync(file, piece);
  writeSync(file, "\nafter");
  closeSync(file);
  expect(await linesInFile()).toEqual(["before", undefined, "after"]);
});

test("passes every byte to the callback that counts them", async () => {
  writeFileSync(path, "é\nb");
  let count = 0;
  for await (const _ of textLines(path, (bytes) => (count += bytes.length)));
  expect(count).toBe(4);
});
