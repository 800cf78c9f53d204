import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { minuteMs } from "../../src/time/durations.ts";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { helpful } from "../support/model-answers.ts";
import { type ModelServer, openModelServer } from "../support/model-server.ts";
import { type Workplace, workdays } from "../support/workdays.ts";

const sandbox = forEachTest(openSandbox);
let server: ModelServer;
beforeEach(async () => {
  buildOnce();
  server = await openModelServer();
});
afterEach(() => server.close());

const caller = { face: "library" } as const;

async function openAt(now: () => number): Promise<Core> {
  const home = join(sandbox.home, ".memsvc");
  const { settings } = loadSettings({ home, env: server.env("openai"), fileText: undefined });
  return Core.open({ home, settings, now });
}

async function recordWork(): Promise<void> {
  let time = Date.now() - 60 * minuteMs;
  const core = await openAt(() => time);
  const workplace: Workplace = {
    ok: async (operation, input) => operation.output.parse(await core.call(operation, input, caller)),
    advance: (milliseconds) => {
      time += milliseconds;
    },
    now: () => time,
  };
  await workdays(workplace, {}, "x");
  await workdays(workplace, {}, "y");
  await core.close();
}

/**
 * Starts a run that waits for the model's answer about procedures, when its facts are stored already. Returns what kills
 * it.
 */
async function thinkingRun(): Promise<() => Promise<void>> {
  await recordWork();
  const asked = new Promise<void>((resolve) => {
    server.answer((request) => {
      if (!request.instructions.startsWith("You describe the recurring")) return helpful(request);
      resolve();
      return { kind: "never" };
    });
  });
  const command = sandbox.start(["consolidate", "--force"], { env: server.env("openai") });
  const ended = new Promise((resolve) => command.once("close", resolve));
  await asked;
  server.answer(helpful);
  return async () => {
    command.kill("SIGKILL");
    await ended;
  };
}

async function killedRun(): Promise<void> {
  const end = await thinkingRun();
  await end();
}

// The sessions' ends ask for summaries of their own.
const questions = () =>
  server.seen.filter(({ instructions }) => !instructions.startsWith("You summarise")).length;

const facts = [["Sessions are stored in libSQL", 0]];
const done = { facts, procedures: [["Check a change", 1]], runs: 1 };

async function stateOf(core: Core) {
  return {
    facts: (await core.call(listFacts, {}, caller)).semantic.map(({ fact, accessCount }) => [
      fact,
      accessCount,
    ]),
    procedures: (await core.call(listProcedures, {}, caller)).procedural.map(({ name, frequency }) => [
      name,
      frequency,
    ]),
    runs: (await core.call(listAudit, { operation: "consolidate" }, caller)).total,
  };
}

test("a run killed while it waits for the model continues at the next start and repeats nothing", async () => {
  await killedRun();
  const before = questions();
  const core = await openAt(() => Date.now() + 2 * minuteMs);
  expect(await stateOf(core)).toEqual({ facts, procedures: [], runs: 0 });
  await JobWorker.runDue(core.ground, core.jobHandlers());
  expect(await stateOf(core)).toEqual(done);
  expect(questions()).toBe(before + 1);
  await JobWorker.runDue(core.ground, core.jobHandlers());
  expect(await stateOf(core)).toEqual(done);
  await core.close();
});

test("a killed run that is started again at once continues and repeats nothing", async () => {
  await killedRun();
  const before = questions();
  const again = await sandbox.run(["consolidate", "--force"], { env: server.env("openai") });
  expect(again.exit).toBe(0);
  expect(questions()).toBe(before + 1);
  const core = await openAt(() => Date.now() + 2 * minuteMs);
  expect(await stateOf(core)).toEqual(done);
  await JobWorker.runDue(core.ground, core.jobHandlers());
  expect(await stateOf(core)).toEqual(done);
  await core.close();
});

test("a run that is under way in another process is not started again", async () => {
  const end = await thinkingRun();
  const before = questions();
  const second = await sandbox.run(["consolidate", "--force", "--json"], { env: server.env("openai") });
  expect(second.exit).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ queued: true, jobId: expect.stringMatching(/^job_/u) });
  expect(questions()).toBe(before);
  await end();
});
