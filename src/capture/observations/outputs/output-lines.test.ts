import { expect, test } from "vitest";
import { plainText, testSummaryLine } from "./output-lines.ts";

test.each([
  ["Tests: 3, Assertions: 2, Errors: 1, Failures: 1.", "PHPUnit"],
  ["OK (3 tests, 3 assertions)", "PHPUnit"],
  ["2 runs, 2 assertions, 2 failures, 0 errors, 0 skips", "minitest"],
  ["FAILED (failures=1, errors=1)", "unittest"],
  ["Ran 3 tests in 0.022s", "unittest"],
  ["1 error in 0.15s", "pytest"],
  ["ok  \tshop/cart\t(cached)", "Go"],
  ["FAIL\tshop/parse [build failed]", "Go"],
  ["Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4", "dotnet"],
  ["Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds", "XCTest"],
  ["00:02 +7 ~1 -1: Some tests failed.", "Dart"],
  ["00:02 +7: All tests passed!", "Dart"],
])("%j is the test summary of %s", (line) => {
  expect(testSummaryLine(`...\n${line}\n`)).toBe(line);
});

test("prefers the summary of a failed run, without Maven's log mark", () => {
  const ok = "test result: ok. 2 passed; 0 failed; 0 ignored";
  const failed = "test result: FAILED. 1 passed; 1 failed; 0 ignored";
  expect(testSummaryLine(`${ok}\n${failed}\n${ok}`)).toBe(failed);
  expect(
    testSummaryLine("[ERROR] Tests run: 3, Failures: 1, Errors: 1\n[INFO] Tests run: 2, Failures: 0"),
  ).toBe("Tests run: 3, Failures: 1, Errors: 1");
  expect(testSummaryLine("ℹ tests 2\nℹ pass 1\nℹ fail 1\nℹ cancelled 0")).toBe("ℹ fail 1");
  expect(testSummaryLine("# tests 1\n# pass 1\n# fail 0\n# cancelled 0")).toBe("# pass 1");
  expect(testSummaryLine(" 3 pass\r\n 1 fail\r\n 4 expect() calls\r\nRan 4 tests across 1 file.")).toBe(
    "1 fail",
  );
  expect(testSummaryLine(" 4 pass\n 0 fail\n 4 expect() calls\nRan 4 tests across 1 file.")).toBe("4 pass");
  const go = "ok  \tshop/cart\t0.002s\n?   \tshop/cmd\t[no test files]";
  expect(testSummaryLine(`${go}\n--- FAIL: TestVat (0.00s)\nFAIL\nFAIL\tshop/parse\t0.003s\n${go}`)).toBe(
    "FAIL\tshop/parse\t0.003s",
  );
  expect(testSummaryLine("ok 1 - adds lines\nFAIL src/cart.test.ts (5.2 s)")).toBeUndefined();
  expect(testSummaryLine('server at "localhost", port 5432 failed: Connection refused')).toBeUndefined();
  expect(testSummaryLine("Found 1 error in 1 file (checked 4 source files)")).toBeUndefined();
});

test("shows progress that is written over itself as a terminal leaves it", () => {
  expect(plainText("Rebasing (1/2)\rRebasing (2/2)\rerror: no\r\nnext\r\r\n 9%\r10%\n")).toBe(
    "error: no\r\nnext\r\r\n10%\n",
  );
  expect(plainText("a\rb")).toBe("a\rb");
});

test("sums up tests, not the snapshots that jest counts below them", () => {
  const tests = "Tests:       1 failed, 11 passed, 12 total";
  expect(testSummaryLine(`${tests}\nSnapshots:   1 failed, 3 passed, 4 total\nTime: 1 s`)).toBe(tests);
});

test("removes escape sequences, also those that select a character set, set a title or make a link", () => {
  expect(
    plainText(
      "\u001b]0;npm test\u0007\u001b[>4;1m\u001b[<u\u001b=FAIL \u001b]8;;file:///a.ts\u001b\\a.ts\u001b]8;;\u001b\\!",
    ),
  ).toBe("FAIL a.ts!");
  expect(plainText("\u001b[31m-old\u001b(B\u001b[m")).toBe("-old");
});

test("replaces an encoded file in a text, but no token or path", () => {
  const file = Buffer.from("%PDF-1.7 of some length, 2 pages ".repeat(60)).toString("base64");
  expect(plainText(`{"type":"pdf","base64":"${file}","pages":2}`)).toBe(
    '{"type":"pdf","base64":"[base64]","pages":2}',
  );
  const token = file.slice(0, 200);
  expect(plainText(`key ${token}`)).toBe(`key ${token}`);
  const path = `/${"src/parts/".repeat(200)}`;
  expect(plainText(path)).toBe(path);
});
