import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildOnce, openSandbox, type Sandbox } from "../cli/program-process.ts";

/* Files of the user's that are rewritten on a disk with no room: where none can be mounted the suite is left out. */

const diskKib = 128;
const paragraph =
  "A paragraph that stands in the file again and again, though to say it once would have been enough.";
const wordy = `# Notes\n\n${Array.from({ length: 400 }, (_, at) => `${paragraph}\n\nLine ${at}.\n\n`).join("")}`;

let sandbox: Sandbox;
const docs = () => join(sandbox.home, "docs");

function mount(): boolean {
  mkdirSync(docs());
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskKib}k`, "tmpfs", docs()], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

beforeAll(buildOnce);
sandbox = openSandbox();
const isMounted = mount();
afterAll(() => {
  if (isMounted) execFileSync("umount", ["-l", docs()], { stdio: "ignore" });
  sandbox.remove();
});

describe.skipIf(!isMounted)("compress-file on a full disk (skipped where none can be mounted)", () => {
  test("leaves the file unchanged, and no other file, if the original does not fit beside it", async () => {
    const file = join(docs(), "notes.md");
    writeFileSync(file, wordy);
    const { bavail, bsize } = statfsSync(docs());
    const freeBytes = bavail * bsize - 8_192;
    writeFileSync(join(docs(), "filler"), Buffer.alloc(freeBytes));
    const { exit, stderr } = await sandbox.run(["compress-file", file, "--offline"]);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("no space is left")]);
    expect(readdirSync(docs()).sort()).toEqual(["filler", "notes.md"]);
    expect(readFileSync(file, "utf8")).toBe(wordy);
  });

  test("shortens the file once there is room, and removes the temporary file of an old attempt", async () => {
    const file = join(docs(), "notes.md");
    writeFileSync(join(docs(), "filler"), "");
    const [old, young] = ["notes.md.memsvc-99-1.tmp", `notes.md.memsvc-${process.pid}-2.tmp`];
    // A file of the user's with a similar name stays.
    const own = "notes.md.2026-11.tmp";
    for (const name of [old, young, own]) writeFileSync(join(docs(), name), "half");
    for (const name of [old, own]) utimesSync(join(docs(), name), 0, 0);
    expect((await sandbox.run(["compress-file", file, "--offline"])).exit).toBe(0);
    expect(readdirSync(docs()).sort()).toEqual(["filler", "notes.md", own, young, "notes.original.md"]);
    expect(readFileSync(join(docs(), "notes.original.md"), "utf8")).toBe(wordy);
  });
});
