import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimerName } from "../../src/jobs/claimer.ts";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { CrashHome } from "./crash-home.ts";
import { serveWell, storeOf } from "./daemon.ts";
import { changeStore, storedRows } from "./stored-rows.ts";

const trialsPerHome = 10;
const homes = 3;

beforeAll(buildOnce);

for (let number = 0; number < homes; number += 1) {
  describe(`home ${number + 1}`, () => {
    let home: CrashHome;
    beforeAll(() => {
      home = new CrashHome();
    });
    afterAll(async () => {
      expect(await home.close()).toEqual([]);
    });

    for (let at = 1; at <= trialsPerHome; at += 1) {
      const seed = number * trialsPerHome + at;
      test(`what was acknowledged before crash ${at} is there after it, whole (seed ${seed})`, async () => {
        const { faults } = await home.trial(seed);
        expect(faults).toEqual([]);
      });
    }

    test("acknowledged more observations and memories than it had crashes", () => {
      const { observations, memories } = home.ledger;
      expect(observations.length).toBeGreaterThan(trialsPerHome);
      expect(memories.length).toBeGreaterThan(trialsPerHome);
    });
  });
}

describe("a job left by a dead process", () => {
  const sandbox = forEachTest(openSandbox);

  /** Puts a job into the store as a process with this name leaves it if it dies while it runs the job. */
  function leaveRunning(sessionId: string, claimer: string, claimedUntil: number): void {
    changeStore(
      storeOf(sandbox),
      `INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, claimed_by, claimed_until, created_at, updated_at)
       VALUES ('job_${sessionId}', 'session.stop', '${sessionId}', '{}', 'running', 1, 1, '${claimer}', ${claimedUntil}, 1, 1)`,
    );
  }

  function stateOf(sessionId: string): unknown {
    return storedRows(storeOf(sandbox), `SELECT status FROM jobs WHERE id = 'job_${sessionId}'`)[0]?.status;
  }

  async function observeOnce(sessionId: string): Promise<void> {
    const event = {
      hookType: "prompt_submit",
      sessionId,
      project: "p",
      cwd: "/srv/p",
      timestamp: new Date().toISOString(),
    };
    const { exit } = await sandbox.run(["observe", "--offline", "--strict"], {
      stdin: JSON.stringify({ ...event, data: { userPrompt: `why does ${sessionId} fail` } }),
    });
    expect(exit).toBe(0);
  }

  test("is run by the next daemon once its process has ended or its claim has expired, and not before", async () => {
    for (const sessionId of ["ended", "over", "claimed"]) await observeOnce(sessionId);
    leaveRunning("ended", "999999", Date.now() + 60_000);
    leaveRunning("over", claimerName(), Date.now() - 1);
    leaveRunning("claimed", claimerName(), Date.now() + 60_000);
    const daemon = await serveWell(sandbox);
    for (const sessionId of ["ended", "over"]) await expect.poll(() => stateOf(sessionId)).toBe("done");
    expect(stateOf("claimed")).toBe("running");
    await daemon.end("SIGTERM");
  });

  test("is done after a restart if it was still queued", async () => {
    const daemon = await serveWell(sandbox);
    await observeOnce("ended");
    const ended = await fetch(`${daemon.url}/session/end`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sessionId: "ended" }),
    });
    expect(ended.status).toBe(200);
    await daemon.end("SIGKILL");
    // As if the kill had come before the job was taken.
    changeStore(
      storeOf(sandbox),
      `DELETE FROM session_summaries; UPDATE sessions SET last_stop_at = NULL, last_stop_seq = NULL;
       UPDATE jobs SET status = 'queued', run_after = 0 WHERE kind = 'session.stop'`,
    );
    const next = await serveWell(sandbox);
    await expect
      .poll(() => storedRows(storeOf(sandbox), "SELECT session_id FROM session_summaries"))
      .toMatchObject([{ session_id: "ended" }]);
    await next.end("SIGTERM");
  });
});
