import type { SessionRecorder } from "./recording.ts";
import { testFailure, vitestReport } from "./terminal-output.ts";

const ROUTE_TESTS = "src/routes/shipments.test.ts";

/** Friday, first half: the upgrade to zod 4 breaks the build in two places and a test in one. */
export function recordZodUpgrade(s: SessionRecorder): void {
  const { worktree } = s;
  s.prompt("upgrade zod to 4, renovate's branch is red. keep it in one commit");
  s.bash(
    "npm install zod@4",
    "changed 1 package, and audited 187 packages in 3s\n\nfound 0 vulnerabilities",
    {
      tookSeconds: 4,
    },
  );
  worktree.edit("package.json", `"zod": "^3.25.76"`, `"zod": "^4.1.12"`);
  s.bashFails(
    "npm run build",
    2,
    `> tsc -p .

src/errors.ts(${worktree.lineOf("src/errors.ts", "error.errors")},23): error TS2339: Property 'errors' does not exist on type 'ZodError<unknown>'.
src/errors.ts(${worktree.lineOf("src/errors.ts", "error.errors")},35): error TS7006: Parameter 'issue' implicitly has an 'any' type.
src/schemas.ts(${worktree.lineOf("src/schemas.ts", "z.record")},13): error TS2554: Expected 2-3 arguments, but got 1.`,
    { mark: "zod 4 breaks the build", tookSeconds: 7 },
  );
  s.read("src/errors.ts");
  s.read("src/schemas.ts");
  s.webFetch(
    "https://zod.dev/v4/changelog",
    "What replaced ZodError.errors, and what changed in z.record()?",
    "ZodError: the .errors getter is gone, use .issues. z.record() no longer takes a single argument: give the key schema and the value schema, z.record(z.string(), z.string()). Messages: a missing value now says 'Invalid input: expected string, received undefined' where version 3 said 'Required'.",
  );
  s.edit("src/errors.ts", "error.errors.map", "error.issues.map");
  s.edit("src/schemas.ts", "z.record(z.string())", "z.record(z.string(), z.string())", {});
  s.bashFails(
    "npm run build && npm test",
    1,
    `> tsc -p .\n\n${vitestReport(
      [
        { path: "src/queue/jobs.test.ts", tests: 3, tookMs: 187 },
        { path: "src/webhooks/deliver.test.ts", tests: 1, tookMs: 139 },
        { path: "src/carriers/retry-after.test.ts", tests: 6, tookMs: 8 },
        { path: ROUTE_TESTS, tests: 2, failed: 1, tookMs: 104 },
      ],
      [
        testFailure({
          worktree,
          path: ROUTE_TESTS,
          name: "POST /shipments > says which field is missing",
          snippet: `message: "Required"`,
          message: "expected [ { path: 'parcel', …(1) } ] to deeply equal [ { path: 'parcel', …(1) } ]",
          expected: [
            "  [",
            "    {",
            `-     "message": "Required",`,
            `+     "message": "Invalid input: expected string, received undefined",`,
            `      "path": "parcel",`,
            "    },",
            "  ]",
          ],
        }),
      ],
    )}`,
    { tookSeconds: 4 },
  );
  s.stop(
    'The build is fixed; one test fails because zod 4 words a missing value differently. Customers see this message in the 400 answer. Either the new wording goes out, or errors.ts maps it back to "Required".',
  );
  s.prompt("nobody parses the message, the docs only promise path. relax the test to path");
  s.read(ROUTE_TESTS, { offset: 18, limit: 6 });
  s.edit(
    ROUTE_TESTS,
    `expect(answer.json().issues).toEqual([{ path: "parcel", message: "Required" }]);`,
    `expect(answer.json().issues).toMatchObject([{ path: "parcel" }]); // the wording is zod's`,
  );
  s.bash(
    "npm test",
    vitestReport([
      { path: "src/queue/jobs.test.ts", tests: 3, tookMs: 190 },
      { path: "src/webhooks/deliver.test.ts", tests: 1, tookMs: 144 },
      { path: "src/carriers/retry-after.test.ts", tests: 6, tookMs: 8 },
      { path: ROUTE_TESTS, tests: 2, tookMs: 99 },
    ]),
    { tookSeconds: 4 },
  );
  s.commit(
    `chore(deps): upgrade zod to 4

ZodError.errors is now issues, and z.record wants a schema for the keys.`,
  );
  s.stop("zod 4 is in, in one commit; build, lint and tests are green.");
}
