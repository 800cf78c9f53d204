import { expect, test } from "vitest";
import { findingTitle } from "./finding-title.ts";
import { findingsIn } from "./findings-in.ts";

function titleOf(answer: string, asked?: string): string | undefined {
  const [finding] = findingsIn(answer);
  return finding && findingTitle(finding, asked);
}

test.each([
  ["The import failed because the file has a BOM.", "The import failed"],
  ["The duplicate rows were caused by a missing constraint.", "The duplicate rows"],
  ["The reason for the 401 was a renamed header.", "The 401"],
  ["The reason the page hangs is that nobody reads the pipe.", "The page hangs"],
  ["The cause of the slow start was an eager import.", "The slow start"],
  [
    "The env file is only read in development, which is why the login did not work.",
    "The login did not work",
  ],
  ["Fixed: the import failed because the file has a BOM.", "The import failed"],
  ["After some digging: the leak is due to listeners that nobody removes.", "The leak"],
])("the title of %j is what went wrong", (answer, title) => {
  expect(titleOf(answer, "Look into it.")).toBe(title);
});

test("where the sentence only points back, the one before is the title if it tells what went wrong", () => {
  expect(titleOf("The nightly import was flaky. It was caused by a BOM in the file.", "Look into it.")).toBe(
    "The nightly import was flaky",
  );
  expect(
    titleOf("I read the importer. It was caused by a BOM in the file.", "Mend the import, please."),
  ).toBe("Mend the import, please");
  expect(
    titleOf("The nightly import was flaky.\n\n## Root cause\n\nA file has a BOM.", "Look into it."),
  ).toBe("The nightly import was flaky");
  expect(titleOf("The nightly import was flaky. The export failed because a file has a BOM.")).toBe(
    "The export failed",
  );
  expect(titleOf("It failed again. It was caused by a BOM in the file.", "Mend the import, please.")).toBe(
    "Mend the import, please",
  );
  expect(titleOf("I read the importer. It was caused by a BOM in the file.")).toBe(
    "It was caused by a BOM in the file",
  );
  expect(titleOf("The error was caused by a BOM in the file.", "Mend the import, please.")).toBe(
    "Mend the import, please",
  );
});

test("a title is one line of at most 100 code points", () => {
  const title = titleOf(
    "It was caused by a BOM in the file.",
    `Mend the import ${"of all files ".repeat(20)}`,
  );
  expect([...(title ?? "")].length).toBeLessThanOrEqual(100);
  expect(title).toMatch(/^Mend the import of all files .*…$/);
});
