import { expect, test } from "vitest";
import { errorName } from "./error-name.ts";

test.each([
  [
    "ENOENT: no such file or directory, open '/tmp/run-42/config.json'",
    "ENOENT: no such file or directory, open 'config.json'",
  ],
  [
    "src/app/main.ts(12,7): error TS2304: Cannot find name 'x'",
    "main.ts(#,#): error TS#: Cannot find name 'x'",
  ],
  ["C:\\work\\shop\\a.py failed", "C:a.py failed"],
  ["  3:15  error  Promises must be awaited", "error Promises must be awaited"],
  ["exit   code\n1", "exit code #"],
])("the error %j is named %j", (message, name) => {
  expect(errorName(message)).toBe(name);
});

test("the name of an error has at most 120 characters", () => {
  expect([...errorName("é".repeat(500))]).toHaveLength(120);
});
