import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoOutcome } from "../../src/cli/demo/outcome.ts";
import {
  sampleMemories,
  sampleQuestions,
  sampleSecrets,
  sampleSessions,
} from "../../src/cli/demo/sample/history.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { helpful } from "../support/model-answers.ts";
import { type ModelServer, openModelServer } from "../support/model-server.ts";
import type { Outcome } from "./program-here.ts";
import { buildOnce, openSandbox, type ProgramRun } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);
let server: ModelServer;
/** What a newcomer gets whose output goes into a pipe. */
let told: ProgramRun;
/** The same for programs, where a model is configured. */
let figures: Outcome;

beforeAll(async () => {
  buildOnce();
  server = await openModelServer();
  server.answer(helpful);
  told = await sandbox.run(["demo"], { env: { FORCE_COLOR: "1" } });
  figures = await sandbox.runHere(["demo", "--json"], { env: server.env("openai") });
});
afterAll(() => server.close());

const eventsSent = sampleSessions.flatMap(({ events }) => events).length;
const eventsDistinct = new Set(sampleSessions.flatMap(({ events }) => events)).size;

function expectNothingLeft(): void {
  expect(readdirSync(sandbox.home)).toEqual([]);
  expect(readdirSync(sandbox.temporary)).toEqual([]);
}

describe("memsvc demo", () => {
  test("shows every question as answered, and leaves nothing behind", () => {
    const { exit, stdout, stderr } = told;
    expect(stderr).toBe("");
    for (const { question } of sampleQuestions) expect(stdout).toContain(`✓ ${question}`);
    expect(stdout).toContain(`${eventsSent} sent, ${eventsDistinct} kept`);
    expect(stdout).toContain('<memsvc-context project="parcel-tracker">');
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(
      "✓ 10 of 10 answered, 0 secrets stored, scratch store removed",
    );
    expect(exit).toBe(0);
    expectNothingLeft();
  });

  test("prints plain text of at most a hundred columns without secrets into a pipe", () => {
    const { stdout } = told;
    expect(stdout).not.toContain("\u001b");
    expect(Math.max(...stdout.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(100);
    for (const secret of sampleSecrets) expect(stdout).not.toContain(secret);
  });

  test("prints all figures and answers as one JSON object with --json", () => {
    const { exit, stdout } = figures;
    const outcome = JSON.parse(stdout) as DemoOutcome;
    expect(exit).toBe(0);
    expect(outcome).toMatchObject({
      success: true,
      removed: true,
      captured: {
        sessions: sampleSessions.length,
        events: eventsSent,
        observations: eventsDistinct,
        duplicates: eventsSent - eventsDistinct,
        memories: sampleMemories.length,
        latestMemories: sampleMemories.filter(({ replaces }) => replaces === undefined).length,
      },
      secrets: { sent: sampleSecrets.length, redactedObservations: 2, stored: 0 },
      answered: sampleQuestions.length,
    });
    expect(outcome.questions.map(({ question }) => question)).toEqual(
      sampleQuestions.map(({ question }) => question),
    );
    for (const { rank, shown } of outcome.questions) {
      expect(rank).toBeLessThanOrEqual(3);
      expect(shown?.explanation?.streams).toHaveProperty("keyword");
    }
    expect(outcome.context.text).not.toContain("poll every 30 s is only the fallback");
    expect(outcome.file.changes.length).toBeGreaterThan(1);
    expectNothingLeft();
  });

  test("prints only the verdict with -q, ignores the user's settings, and leaves the home unchanged", async () => {
    const own = openSandbox();
    mkdirSync(join(own.home, ".memsvc"));
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_PORT=none\n");
    const env = {
      MEMSVC_HOME: "not/absolute",
      MEMSVC_TOKEN_BUDGET: "many",
      MEMSVC_AGENT_SCOPE: "isolated",
      AGENT_ID: "me",
    };
    const { exit, stdout, stderr } = await own.runHere(["demo", "-q"], { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toBe("✓ 10 of 10 answered, 0 secrets stored, scratch store removed\n");
    expect(readdirSync(own.home, { recursive: true }).toSorted()).toEqual([
      ".memsvc",
      join(".memsvc", ".env"),
    ]);
    expect(readFileSync(join(own.home, ".memsvc", ".env"), "utf8")).toBe("MEMSVC_PORT=none\n");
    expect(readdirSync(own.temporary)).toEqual([]);
    own.remove();
  });

  test("keeps the store with --keep, and the search that it suggests finds something", async () => {
    const { exit, stdout } = await sandbox.runHere(["demo", "--keep"]);
    const [, home = ""] = /^ +memsvc search "retry-after" --home (\S+)$/m.exec(stdout) ?? [];
    expect(exit).toBe(0);
    expect(existsSync(home)).toBe(true);
    const found = await sandbox.runHere(["search", "retry-after", "--home", home]);
    expect(found.exit).toBe(0);
    expect(found.stdout).toContain("Swiftline sends Retry-After as an HTTP date");
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("fails with a hint if the folder for temporary files cannot be written to", async () => {
    const TMPDIR = join(sandbox.temporary, "gone");
    const { exit, stderr } = await sandbox.runHere(["demo"], { env: { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR } });
    expect(exit).toBe(1);
    expect(stderr).toContain(`cannot write to ${TMPDIR}, the folder for temporary files (ENOENT)`);
    expect(stderr).toMatch(/^hint: set T\w+ to another folder/mu);
  });
});

describe("what the demo distils from its history", () => {
  const distilledIn = ({ exit, stdout }: Outcome) => {
    expect(exit).toBe(0);
    return (JSON.parse(stdout) as DemoOutcome).distilled;
  };

  test("is distilled by rules, without asking the configured model", () => {
    const { provider, facts, procedures, insights, graph, warning } = distilledIn(figures);
    expect({ provider, warning }).toEqual({ provider: "extractive", warning: undefined });
    for (const count of [facts, procedures, insights, graph.nodes, graph.edges])
      expect(count).toBeGreaterThan(0);
    expect(server.seen).toEqual([]);
    expect(told.stdout).toContain("drawn by rules");
    expect(told.stdout).toContain(`${facts}, such as: `);
  });

  test("is refused with --model if no model is configured", async () => {
    const { exit, stdout, stderr } = await sandbox.runHere(["demo", "--model"]);
    expect({ exit, stdout }).toEqual({ exit: 6, stdout: "" });
    expect(stderr).toMatch(/^memsvc: no language model is configured, .*\nhint: set one up/u);
  });

  test("is distilled by the configured model with --model, which receives no secret", async () => {
    const asked = await sandbox.runHere(["demo", "--json", "--model"], { env: server.env("openai") });
    expect(distilledIn(asked)).toMatchObject({
      provider: "openai",
      facts: 1,
      insights: 1,
      examples: { fact: "Sessions are stored in libSQL" },
    });
    expect(server.seen.length).toBeGreaterThan(0);
    const sent = JSON.stringify(server.seen);
    for (const secret of sampleSecrets) expect(sent).not.toContain(secret);
  });
});

describe("an interrupted memsvc demo", () => {
  test.each(["SIGINT", "SIGHUP"] as const)("removes the store and exits with 130 on %s", async (signal) => {
    const own = openSandbox();
    const child = own.start(["demo"]);
    let stderr = "";
    child.stderr?.on("data", (part: Buffer) => {
      stderr += part.toString();
    });
    const exited = new Promise<number | null>((resolve) => {
      child.on("close", resolve);
    });
    while (readdirSync(own.temporary).length === 0 && child.exitCode === null) await sleep(5);
    expect(readdirSync(own.temporary)).toHaveLength(1);
    child.kill(signal);
    expect(await exited).toBe(130);
    expect(readdirSync(own.temporary)).toEqual([]);
    expect(stderr).toBe("interrupted: the scratch store was removed\n");
    own.remove();
  });
});

test("the commands that the demo recommends exist", async () => {
  const recommended = [...told.stdout.matchAll(/^ {2}memsvc ([a-z]+(?: [a-z]+)*)/gmu)];
  expect(recommended).toHaveLength(3);
  for (const [, command = ""] of recommended) {
    const { exit, stdout: help } = await sandbox.runHere([...command.split(" "), "--help"]);
    expect(exit, command).toBe(0);
    expect(help, command).toContain("Examples:");
  }
});
