import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { runDueJobs } from "../../cli/callers/due-jobs.ts";
import { remember } from "../../knowledge/memories/operations.ts";
import { countOutdated, gentleReindexHandler, reindexGently } from "./reindex.ts";

const store = forEachTest(openTestCore);

const outdated = () => countOutdated(store.core.ground.store.read.sql);
const queued = () =>
  store.core.ground.store.read.sql.values(
    "SELECT kind FROM jobs WHERE status = 'queued' AND key = 'documents'",
  );

async function withOldDocuments(count: number): Promise<void> {
  for (const letter of "abcdefghijklmno".slice(0, count))
    await store.call(remember, { content: [4, 5, 6, 7, 8].map((length) => letter.repeat(length)).join(" ") });
  await store.writeSql("UPDATE documents SET token_version = 2");
  await reindexGently(store.core.ground);
}

test("a command leaves it to a daemon to index an older version's documents again", async () => {
  await withOldDocuments(2);
  await runDueJobs(store.core);
  expect(await outdated()).toBe(2);
  expect(await queued()).toEqual([["index.renewal"]]);
});

test("a daemon indexes again in slices, so that a restore or its end need not wait for all of it", async () => {
  await withOldDocuments(15);
  await store.writeSql("DELETE FROM jobs");
  const times = [0, 0, 0];
  const ground = { ...store.core.ground, monotonic: () => times.shift() ?? 10_000 };
  await gentleReindexHandler(ground).run({ id: "job_1", kind: "", key: "", payload: {}, attempts: 1 });
  expect(await outdated()).toBe(5);
  expect(await queued()).toEqual([["index.renewal"]]);
});
