import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { endSession, startSession } from "../../capture/sessions/operations.ts";
import { databaseFile } from "../../config/home.ts";
import { runDueJobs } from "./due-jobs.ts";

test("follow-up work that fails is reported with a hint and does not fail the command", async () => {
  const store = await openTestCore();
  const session = { sessionId: "s", project: "shop", cwd: "/code/shop" };
  await store.call(startSession, session);
  await store.call(endSession, { sessionId: "s" });
  const database = databaseFile(store.home);
  rmSync(database);
  expect(await runDueJobs(store.core)).toMatch(
    new RegExp(
      `^it is done, but the work that follows it waits: ${database} was removed .*\\nhint: there is no snapshot`,
      "u",
    ),
  );
  await store.close();
});

test("follow-up work that succeeds is not mentioned", async () => {
  const store = await openTestCore();
  expect(await runDueJobs(store.core)).toBeUndefined();
  await store.close();
});
