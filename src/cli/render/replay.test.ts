import { expect, test } from "vitest";
import { plainTerminal } from "../../../test/support/plain-terminal.ts";
import { renderImport } from "./replay.ts";

test.each([
  [200, "only the newest 200 were taken: raise --max-files for more, up to 1000"],
  [
    1_000,
    "only the newest 1000 were taken, the most at a time: name the folders in it one by one for the rest",
  ],
])("an import of the newest %d of more transcripts says how to get at the others", (maxFiles, way) => {
  const answer = {
    ...{ imported: maxFiles, discovered: 1_320, maxFiles, maxFilesUpperBound: 1_000 as const },
    ...{ sessionIds: ["s1"], observations: 2, skippedDuplicates: 0, lessons: 0, errors: [] },
    ...{ truncated: true, traversalCapped: false },
  };
  expect(renderImport(answer, plainTerminal).split("\n")).toEqual([
    `imported ${maxFiles} of 1320 transcripts: 2 new observations in 1 session`,
    way,
  ]);
});
