import Database from "libsql";
import { beforeAll, expect, test } from "vitest";
import { storeOf } from "../crash/daemon.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forEachTest(openSandbox);

beforeAll(buildOnce);

test("status and doctor say soon that another process keeps the store locked, and an export of it is whole", async () => {
  await sandbox.runHere(["remember", "Releases are tagged by hand"]);
  const keeper = new Database(storeOf(sandbox));
  keeper.exec("BEGIN IMMEDIATE");
  const startedAt = performance.now();
  const locked = /another process .*kept the database \S+memsvc\.db locked for too long/u;
  const status = await sandbox.runHere(["status"]);
  expect(status).toMatchObject({ exit: 1, stdout: expect.stringMatching(locked), stderr: "" });
  const doctor = await sandbox.runHere(["doctor"]);
  expect(doctor).toMatchObject({ exit: 1, stdout: expect.stringMatching(locked), stderr: "" });
  const exported = await sandbox.runHere(["export", "-"]);
  expect(exported.exit).toBe(0);
  expect(JSON.parse(exported.stdout).memories).toHaveLength(1);
  // A single write that is tried as long as others are takes ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(9_500);
  keeper.exec("ROLLBACK");
  keeper.close();
});
