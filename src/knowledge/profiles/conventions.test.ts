import { describe, expect, test } from "vitest";
import type { Trace } from "../../capture/observations/reads/history.ts";
import { workConventions } from "./conventions.ts";
import { testFilePattern } from "./test-files.ts";

function trace(fields: Partial<Trace>): Trace {
  return {
    sessionId: "s",
    timestamp: 0,
    hookType: "post_tool_use",
    type: "command_run",
    title: "",
    importance: 5,
    concepts: [],
    files: [],
    command: undefined,
    hasFailed: false,
    ...fields,
  };
}

const edits = (files: string[]) => files.map((file) => trace({ type: "file_edit", files: [file] }));
const runs = (command: string, times: number, fields: Partial<Trace> = {}) =>
  Array.from({ length: times }, () => trace({ command, ...fields }));

const tenSources = Array.from({ length: 10 }, (_, at) => `src/part${at}.ts`);

describe("workConventions", () => {
  test("names the extension and folder of most files once ten were edited", () => {
    expect(workConventions(edits(tenSources))).toEqual([
      "Most edited files are .ts (100 %)",
      "Sources live under src/",
    ]);
  });

  test("names nothing for fewer than ten edited files, however often they were edited", () => {
    expect(workConventions([...edits(tenSources.slice(1)), ...edits(tenSources.slice(1))])).toEqual([]);
  });

  test("ignores absolute paths and paths that lead out of the project", () => {
    const outside = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? `/etc/x${at}` : `../other/x${at}`));
    expect(workConventions(edits(outside))).toEqual([]);
  });

  test("names the pattern of at least three test files", () => {
    const reads = ["a.test.ts", "b.test.ts", "c.test.ts"].map((file) =>
      trace({ type: "file_read", files: [file] }),
    );
    expect(workConventions(reads)).toEqual(["Tests are kept as *.test.ts"]);
    expect(workConventions(reads.slice(1))).toEqual([]);
  });

  test("names build and test commands that succeeded at least three times, most frequent first", () => {
    expect(
      workConventions([...runs("npm test", 3), ...runs("make build", 4), ...runs("cargo test", 2)]),
    ).toEqual(["`make build` is run often (4×)", "`npm test` is run often (3×)"]);
    const begun = runs("npm test", 3).map((run) => ({ ...run, hookType: "pre_tool_use" }));
    const read = [...runs("npm test 2>&1", 2), ...runs("npm test | tail -5", 1), ...begun];
    expect(workConventions(read)).toEqual(["`npm test` is run often (3×)"]);
  });

  test("counts runs of a command for many files, folders or tests together", () => {
    const each = (command: (part: string) => string) => ["cart", "order", "user"].map(command);
    const lines = [
      ...each((part) => `npx vitest run src/${part}.test.ts`),
      ...each((part) => `npx vitest run src/${part}.test.ts src/${part}.ts`),
      ...each((part) => `./gradlew test --tests '*${part}Test'`),
      ...["go test ./...", "go test ./cart/", "go test ./...", "go test ./...", "go test ./user/"],
    ];
    expect(workConventions(lines.flatMap((line) => runs(line, 1)))).toEqual([
      "`npx vitest run …` is run often (6×)",
      "`./gradlew test --tests …` is run often (3×)",
      "`go test ./...` is run often (3×)",
    ]);
  });

  test("counts a command that succeeded, whatever its pipes and the commands after it", () => {
    const lines = [
      'npm test | grep -E "^(not ok|# (pass|fail))"',
      'npm test && git add -A && git commit -m "Count the retries and tell how long each of them waited"',
      "git stash; npm test",
      "npm test; git push",
      "npm test || true",
    ];
    expect(workConventions(lines.flatMap((line) => runs(line, 1)))).toEqual(["`npm test` is run often (3×)"]);
    expect(workConventions(runs("cd web && npm run build && npm test", 3))).toEqual([
      "`cd web && npm run build` is run often (3×)",
      "`cd web && npm test` is run often (3×)",
    ]);
    expect(workConventions(runs("cd web && npm run build && cd .. && npm test;", 3))).toEqual([
      "`cd web && npm run build` is run often (3×)",
      "`npm test` is run often (3×)",
    ]);
    expect(workConventions(runs('cd "$(git rev-parse)" && cd web && cd api && npm test', 3))).toEqual([
      '`cd "$(git rev-parse)"/web/api && npm test` is run often (3×)',
    ]);
  });

  test.each(["git commit -m test", "npm install", "ls src", "npm run deploy"])(
    "ignores %j, which neither builds nor tests",
    (command) => {
      expect(workConventions(runs(command, 5))).toEqual([]);
    },
  );

  test("ignores commands that failed or that only a title names", () => {
    expect(workConventions(runs("npm test", 5, { hasFailed: true }))).toEqual([]);
    const told = Array.from({ length: 5 }, () => trace({ title: "npm test" }));
    expect(workConventions(told)).toEqual([]);
  });
});

test.each([
  ["src/a.test.ts", "*.test.ts"],
  ["a.spec.js", "*.spec.js"],
  ["pkg/a_test.go", "*_test.go"],
  ["tests/unit/test_cart.py", "test_*.py"],
  ["src/CartTest.java", "*Test.java"],
  ["src/__tests__/cart.js", "__tests__/"],
  ["tests/cart.rs", "tests/"],
  ["src/contest.ts", undefined],
  ["src/latest/cart.ts", undefined],
])("%s is a test file by the pattern %s", (file, pattern) => {
  expect(testFilePattern(file)).toBe(pattern);
});
