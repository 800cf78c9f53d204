import Database from "libsql";
import { beforeAll, expect, test } from "vitest";
import { storeOf } from "../crash/daemon.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/** A write that is tried as long as others are takes ten seconds. */
const longestMs = 9_500;

const sandbox = forEachTest(openSandbox);

beforeAll(buildOnce);

test("status and doctor soon report a store locked by another process, and export still works", async () => {
  await sandbox.runHere(["remember", "Releases are tagged by hand"]);
  const keeper = new Database(storeOf(sandbox));
  keeper.exec("BEGIN IMMEDIATE");
  const soon = async (args: readonly string[]) => {
    const startedAt = performance.now();
    const outcome = await sandbox.runHere(args);
    expect(performance.now() - startedAt, args.join(" ")).toBeLessThan(longestMs);
    return outcome;
  };
  const locked = /another process .*kept the database \S+memsvc\.db locked for too long/u;
  const status = await soon(["status"]);
  expect(status).toMatchObject({ exit: 1, stdout: expect.stringMatching(locked), stderr: "" });
  const doctor = await soon(["doctor"]);
  expect(doctor).toMatchObject({ exit: 1, stdout: expect.stringMatching(locked), stderr: "" });
  const exported = await soon(["export", "-"]);
  expect(exported.exit).toBe(0);
  expect(JSON.parse(exported.stdout).memories).toHaveLength(1);
  keeper.exec("ROLLBACK");
  keeper.close();
});
