import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { readDelivered } from "./read-delivered.ts";

const folder = sharedFolder();
let pipe: string;
const writers: ChildProcess[] = [];

beforeAll(() => {
  pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
});
afterAll(() => {
  for (const writer of writers) writer.kill();
});

/** This thread is blocked while it reads, so another process writes. */
function writing(script: string): void {
  writers.push(spawn("sh", ["-c", script, "sh", pipe], { stdio: "ignore" }));
}

test("a file is read as it is", () => {
  writeFileSync(join(folder, "file"), "A=1\n");
  expect(readDelivered(join(folder, "file"))?.toString()).toBe("A=1\n");
  expect(() => readDelivered(join(folder, "none"))).toThrow("ENOENT");
});

test("a pipe gives the whole text, in whatever pieces its writer delivers it", () => {
  writing('exec > "$1"; echo A=1; sleep 0.05; echo B=2');
  expect(readDelivered(pipe, { writerMs: 60_000, textMs: 60_000 })?.toString()).toBe("A=1\nB=2\n");
});

test("a pipe to which nobody writes, or somebody nothing, is not waited for longer than allowed", () => {
  expect(readDelivered(pipe, { writerMs: 20, textMs: 60_000 })).toBeUndefined();
  writing('exec > "$1"; sleep 60');
  expect(readDelivered(pipe, { writerMs: 60_000, textMs: 20 })).toBeUndefined();
});
