import { recordSession, type SampleSession } from "./recording.ts";
import { testFailure, vitestReport } from "./terminal-output.ts";
import type { Worktree } from "./worktree.ts";

const TESTS = "src/queue/jobs.test.ts";

/** Wednesday: a queue test that fails one run in ten; two causes, found one after the other. */
export function recordFlakyTest(worktree: Worktree): SampleSession {
  const s = recordSession("c2f4d9be-1b7a-4e0c-8a3f-90d5e6b1f2a7", "2026-11-04T13:31:40Z", worktree);
  const orderFailure = (): string =>
    vitestReport(
      [{ path: TESTS, tests: 3, failed: 1, tookMs: 203 }],
      [
        testFailure({
          worktree,
          path: TESTS,
          name: "claimJobs > hands out jobs in the order they were enqueued",
          snippet: `toEqual(["A1", "B2", "C3"])`,
          message: "expected [ 'B2', 'A1', 'C3' ] to deeply equal [ 'A1', 'B2', 'C3' ]",
          expected: ["  [", `-   "A1",`, `    "B2",`, `+   "A1",`, `    "C3",`, "  ]"],
        }),
      ],
    );

  s.start();
  s.prompt(
    "ci red again on main, third time this week. rerun makes it green. find out why, no retries please",
  );
  s.bash(
    "gh run list --branch main --status failure --limit 3",
    `STATUS  TITLE                                     WORKFLOW  BRANCH  EVENT  ID           ELAPSED  AGE
X       docs: carrier onboarding                  ci        main    push   18996402217  1m12s    about 2 hours ago
X       chore: bump pino                          ci        main    push   18961177403  1m9s     about 1 day ago
X       feat(queue): wake workers with LISTEN...  ci        main    push   18931350284  1m15s    about 2 days ago`,
    { tookSeconds: 2 },
  );
  s.bash(
    "gh run view 18996402217 --log-failed | grep -A 4 FAIL",
    `test  Run npm test   FAIL  ${TESTS} > claimJobs > hands out jobs in the order they were enqueued
test  Run npm test  AssertionError: expected [ 'B2', 'A1', 'C3' ] to deeply equal [ 'A1', 'B2', 'C3' ]
test  Run npm test
test  Run npm test  - Expected
test  Run npm test  + Received`,
    { tookSeconds: 3 },
  );
  s.read(TESTS);
  s.bash(`npx vitest run ${TESTS}`, vitestReport([{ path: TESTS, tests: 3, tookMs: 188 }]), {
    tookSeconds: 3,
  });
  s.bashFails(
    `for i in $(seq 50); do npx vitest run ${TESTS} > out 2>&1 || { cat out; break; }; done; test $i -eq 50`,
    1,
    orderFailure(),
    { tookSeconds: 10 },
  );
  s.read("src/queue/jobs.ts", { offset: 12, limit: 24 });
  s.read("migrations/002_jobs.sql");
  s.stop(
    "Reproduced on the 11th of 50 runs. The test enqueues three jobs in one transaction. `run_at` defaults to `now()`, and in Postgres now() is the time the transaction began, so all three rows carry the same run_at. `ORDER BY run_at` then leaves the order of equal rows open; usually the heap order wins, sometimes it does not. The id (bigserial) has to break the tie.",
  );
  s.prompt("makes sense. do it, but prove it with more runs");
  s.edit(
    "src/queue/jobs.ts",
    "         ORDER BY run_at\n",
    "         ORDER BY run_at, id -- now() is the same for all jobs of a transaction: the id breaks the tie\n",
  );
  s.bashFails(
    `fails=0; for i in $(seq 200); do npx vitest run ${TESTS} > out 2>&1 || { fails=$((fails + 1)); cp out failed; }; done; cat failed; echo "$fails of 200 failed"; test $fails -eq 0`,
    1,
    `${orderFailure()}\n3 of 200 failed`,
    { tookSeconds: 171 },
  );
  s.webFetch(
    "https://www.postgresql.org/docs/17/dml-returning.html",
    "Does UPDATE … RETURNING return rows in the order of the subquery?",
    "RETURNING gives one row per modified row. No order is promised: rows come in the order in which the executor updated them, which a subquery's ORDER BY in the WHERE clause does not determine. To sort, put the data-modifying statement into a WITH query and select from it with ORDER BY.",
  );
  s.stop(
    "From 1 in 11 to 3 in 200: there is a second cause. `UPDATE … RETURNING` does not return rows in the subquery's order; ORDER BY inside `WHERE id IN (…)` decides which rows are claimed, not how they come back. The claim has to go into a WITH query, and the outer SELECT sorts.",
  );
  s.prompt("ok go");
  s.edit(
    "src/queue/jobs.ts",
    `    \`UPDATE jobs SET locked_at = now(), attempts = attempts + 1
      WHERE id IN (`,
    `    \`WITH claimed AS (
      UPDATE jobs SET locked_at = now(), attempts = attempts + 1
      WHERE id IN (`,
  );
  s.edit(
    "src/queue/jobs.ts",
    `     RETURNING id, kind, payload, attempts\`,`,
    `      RETURNING id, kind, payload, attempts, run_at)
    SELECT id, kind, payload, attempts FROM claimed ORDER BY run_at, id\`, // RETURNING promises no order`,
  );
  s.bash(
    `fails=0; for i in $(seq 500); do npx vitest run ${TESTS} > out 2>&1 || fails=$((fails + 1)); done; echo "$fails of 500 failed"; rm -f out failed; test $fails -eq 0`,
    "0 of 500 failed",
    { tookSeconds: 424 },
  );
  s.bash(
    "npm run lint && npm test",
    `> eslint .\n\n${vitestReport([
      { path: TESTS, tests: 3, tookMs: 191 },
      { path: "src/routes/shipments.test.ts", tests: 2, tookMs: 101 },
    ])}`,
    { tookSeconds: 13 },
  );
  s.commit(
    `fix(queue): hand out jobs in a fixed order

Jobs of one transaction share run_at, because now() is its start, and
RETURNING promises no order. The flaky test was right: workers
could deliver "delivered" before "in transit".`,
    { mark: "flaky order is committed" },
  );
  s.stop(
    "Committed: 0 of 500 runs failed. It was no test problem only: two webhooks of one parcel could have gone out in the wrong order.",
  );
  s.prompt("for the future: a flaky test is a bug report, never add retry or skip to get CI green");
  s.stop("Noted: a flaky test is treated as a bug, no retry and no skip.");
  s.end("prompt_input_exit");
  return s.session();
}
