// Output of the sample project's commands, as a terminal shows it.

import { linesOf } from "./line-diff.ts";
import { sampleProject } from "./project.ts";
import type { CommitStat, Worktree } from "./worktree.ts";

/** A test file's line in vitest's report. */
interface TestFile {
  readonly path: string;
  readonly tests: number;
  readonly failed?: number;
  readonly tookMs: number;
}

const INDENTED = "     ";

/** A vitest 3 report: a line per file, the `failures` (each as {@link testFailure} writes it), the counts. */
export function vitestReport(files: readonly TestFile[], failures: readonly string[] = []): string {
  const tests = files.reduce((sum, file) => sum + file.tests, 0);
  const failed = files.reduce((sum, file) => sum + (file.failed ?? 0), 0);
  const failedFiles = files.filter((file) => (file.failed ?? 0) > 0).length;
  const tookMs = files.reduce((sum, file) => sum + file.tookMs, 0);
  return [
    ` RUN  v3.2.4 ${sampleProject.cwd}`,
    "",
    ...files.map(fileLine),
    "",
    ...failures,
    ` Test Files  ${counts(failedFiles, files.length)}`,
    `      Tests  ${counts(failed, tests)}`,
    `   Duration  ${((tookMs + 640) / 1_000).toFixed(2)}s`,
  ].join("\n");
}

function fileLine(file: TestFile): string {
  const tests = several(file.tests, "test");
  if (file.failed === undefined) return ` ✓ ${file.path} (${tests}) ${file.tookMs}ms`;
  return ` ❯ ${file.path} (${tests} | ${file.failed} failed) ${file.tookMs}ms`;
}

function counts(failed: number, all: number): string {
  const parts = [failed > 0 ? `${failed} failed` : "", all > failed ? `${all - failed} passed` : ""];
  return `${parts.filter((part) => part !== "").join(" | ")} (${all})`;
}

/** A failed assertion at the line of `path` that contains `snippet`, with vitest's code frame. */
export function testFailure(failure: {
  readonly worktree: Worktree;
  readonly path: string;
  readonly name: string;
  readonly snippet: string;
  readonly message: string;
  readonly expected: readonly string[];
}): string {
  const line = failure.worktree.lineOf(failure.path, failure.snippet);
  const source = linesOf(failure.worktree.read(failure.path));
  const column = (source[line - 1] ?? "").lastIndexOf(".to") + 2;
  const frame = [line - 2, line - 1, line, line + 1].map(
    (number) => `${INDENTED}${String(number).padStart(3)}| ${source[number - 1] ?? ""}`,
  );
  frame.splice(3, 0, `${INDENTED}   | ${" ".repeat(column - 1)}^`);
  return [
    ` FAIL  ${failure.path} > ${failure.name}`,
    `AssertionError: ${failure.message}`,
    "",
    "- Expected",
    "+ Received",
    "",
    ...failure.expected,
    "",
    ` ❯ ${failure.path}:${line}:${column}`,
    ...frame,
    "",
  ].join("\n");
}

/** What `git commit` prints. */
export function commitOutput(sha: string, subject: string, stat: CommitStat): string {
  return [
    `[main ${sha}] ${subject}`,
    ` ${several(stat.files, "file")} changed, ${several(stat.insertions, "insertion")}(+), ${several(stat.deletions, "deletion")}(-)`,
    ...stat.created.map((path) => ` create mode 100644 ${path}`),
    ...stat.deleted.map((path) => ` delete mode 100644 ${path}`),
  ].join("\n");
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
