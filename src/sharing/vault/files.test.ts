import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type PresentNote, presentNotes } from "./files.ts";
import { openSubfolder } from "./folder.ts";
import { frontMatter } from "./front-matter.ts";

const other = 65_534;
const ours = `${frontMatter({ memsvc: true, id: "mem_1", title: "Queue" })}\n`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  chmodSync(folder, 0o755);
});

/** Runs work as a user to whom access rights apply. */
async function asOther<Result>(work: () => Promise<Result>): Promise<Result> {
  process.seteuid?.(other);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

async function found(path: string): Promise<PresentNote[]> {
  const notes: PresentNote[] = [];
  for await (const note of presentNotes(path)) notes.push(note);
  return notes;
}

describe.skipIf(process.getuid?.() !== 0)("without access rights", () => {
  test("an unreadable file is skipped, and the notes beside it are found", async () => {
    writeFileSync(join(folder, "a-diary.md"), "mine", { mode: 0o600 });
    writeFileSync(join(folder, "queue.md"), ours);
    expect(await asOther(() => found(folder))).toMatchObject([{ name: "queue", title: "Queue" }]);
  });

  test("an unreadable folder is rejected with a hint", async () => {
    const closed = join(folder, "memsvc");
    mkdirSync(closed, { mode: 0o700 });
    const refusal = { code: "forbidden", hint: expect.stringContaining("vaultDir") };
    await expect(asOther(() => found(closed))).rejects.toMatchObject(refusal);
    await expect(asOther(async () => openSubfolder(closed, "memories"))).rejects.toMatchObject(refusal);
    chownSync(closed, other, other);
    expect(await asOther(async () => openSubfolder(closed, "memories"))).toBe(join(closed, "memories"));
  });
});
