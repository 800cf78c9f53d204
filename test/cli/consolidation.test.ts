import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);
beforeAll(buildOnce);

const statements = [
  "Mail retries use exponential backoff after a timeout",
  "A timeout of the mail server needs backoff in the worker",
  "Backoff of mail jobs starts at two seconds after a timeout",
];

test("consolidate prints one line per tier, and says why a tier has nothing to do", async () => {
  for (const statement of statements) {
    const { exit } = await sandbox.runHere(["remember", statement, "--project", "shop"]);
    expect(exit).toBe(0);
  }
  const { exit, stdout } = await sandbox.run(["consolidate", "--project", "shop"]);
  expect(exit).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/u)),
  ).toEqual([
    ["working", "0 observations completed, 0 waiting"],
    ["episodic", "0 sessions summarised, 0 up to date"],
    ["semantic", "nothing to do (no summaries)"],
    ["reflect", "1 new insight, 0 found again"],
    ["procedural", "nothing to do (no patterns)"],
    ["decay", "0 weak facts, 0 weak procedures; dropped 0 lessons, 0 insights"],
  ]);
});

test("insight reflect finds the insight again, and --json prints the API's answer", async () => {
  const { exit, stdout } = await sandbox.runHere(["insight", "reflect", "--project", "shop"]);
  expect(exit).toBe(0);
  expect(stdout).toBe("0 new insights, 1 found again\n1 cluster looked at, 0 skipped; by rules\n");
  const json = await sandbox.runHere(["insight", "reflect", "--project", "shop", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ success: true, reinforced: 1, provider: "extractive" });
});

test("memory consolidate exits with 6 while the feature is off, and says how to switch it on", async () => {
  const { exit, stderr } = await sandbox.runHere(["memory", "consolidate"]);
  expect(exit).toBe(6);
  expect(stderr).toContain("CONSOLIDATION_ENABLED=true");
});

test("fact list shows the day of each fact, and procedure list what it is about and its sessions", async () => {
  const days = ["2026-03-01", "2026-03-02", "2026-03-03"];
  const events = days.flatMap((day) =>
    [
      { hookType: "prompt_submit", data: { prompt: `We decided to keep mails in Redis on ${day}.` } },
      ...["npm install", "npm test"].map((command) => ({
        hookType: "post_tool_use",
        data: { toolName: "Bash", toolInput: { command }, toolOutput: { stdout: "ok", exitCode: 0 } },
      })),
    ].map((event, at) => ({
      ...event,
      sessionId: day,
      project: "post",
      cwd: "/home/dev/post",
      timestamp: `${day}T12:00:0${at}Z`,
    })),
  );
  const stdin = events.map((event) => JSON.stringify(event)).join("\n");
  expect((await sandbox.runHere(["observe", "--batch", "--strict"], { stdin })).exit).toBe(0);
  for (const day of days) await sandbox.runHere(["session", "end", day]);
  await sandbox.runHere(["consolidate", "--project", "post"]);
  const facts = (await sandbox.runHere(["fact", "list", "--project", "post"])).stdout;
  for (const day of days)
    expect(facts).toMatch(new RegExp(`Redis on ${day}\\.? +${day}, confidence 0\\.\\d\\d, strength`, "u"));
  const procedures = (await sandbox.runHere(["procedure", "list", "--project", "post"])).stdout;
  expect(procedures).toMatch(/npm install → npm test {2}mostly about \w+, seen in 3 sessions\n/u);
  // Equal ones of several projects look alike, so people see whose they are.
  const onTerminal = async (what: string) => (await sandbox.runHere([what, "list"], { columns: 200 })).stdout;
  expect(await onTerminal("fact")).toContain("post, 2026-03-03, confidence");
  expect(await onTerminal("procedure")).toContain("post, mostly about");
});
