import { writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceFunctions } from "../../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findTranscripts } from "./transcript-files.ts";

const { rm, stat } = fs;
// Somebody deletes the file after the folder was read.
replaceFunctions(fs, {
  stat: (async (path: string) => {
    if (path.endsWith("gone.jsonl")) await rm(path);
    return stat(path);
  }) as typeof stat,
});

test("reports a file deleted during the search as a problem and keeps the others", async () => {
  const folder = temporaryFolder();
  for (const name of ["gone.jsonl", "here.jsonl"]) writeFileSync(join(folder, name), "{}\n");
  expect(await findTranscripts([folder], 10)).toMatchObject({
    transcripts: [{ path: join(folder, "here.jsonl") }],
    discovered: 2,
    problems: [
      { path: join(folder, "gone.jsonl"), error: expect.stringMatching(/^it cannot be read: ENOENT/u) },
    ],
  });
});
