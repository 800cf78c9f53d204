import { expect, test } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { createAction } from "../coordination/actions/operations.ts";
import { acquireLease } from "../coordination/leases/operations.ts";
import { createSnapshot, restoreSnapshot } from "../governance/snapshots/operations.ts";
import { remember } from "../knowledge/memories/operations.ts";
import { smartSearch } from "../recall/search/operations.ts";
import { hourMs } from "../time/durations.ts";
import { BackgroundWork } from "./background-work.ts";

const store = forEachTest(openTestCore);

test("a daemon expires leases by itself, also after a restore paused it", async () => {
  const { action } = await store.call(createAction, { title: "build" });
  const expire = async () => {
    await store.call(acquireLease, { actionId: action.id, agentId: "ann" });
    store.advance(hourMs);
  };
  const status = () =>
    store.core.ground.store.read.sql.values("SELECT status FROM actions WHERE id = ?", [action.id]);
  await expire();
  const work = await BackgroundWork.start(store.core);
  await expect.poll(status).toEqual([["pending"]]);
  await store.core.snapshots.stillness.keep(async () => {
    await expire();
    expect(await status()).toEqual([["active"]]);
  });
  await expect.poll(status).toEqual([["pending"]]);
  await work.close();
});

test("a daemon indexes records of an older version again by itself", async () => {
  await store.call(remember, { content: "the otters sleep at noon" });
  await store.writeSql("UPDATE documents SET token_version = 2");
  await store.writeSql(
    "INSERT OR REPLACE INTO documents_fts (rowid, title, concepts, files, body, scope) SELECT id, '', '', '', '', '' FROM documents",
  );
  const find = async () => (await store.call(smartSearch, { query: "otters" })).results.length;
  expect(await find()).toBe(0);
  const work = await BackgroundWork.start(store.core);
  await expect.poll(find).toBe(1);
  await work.close();
});

test("a restore waits for work that has outlasted its request", async () => {
  const { ground, longRuns, snapshots } = store.core;
  const { snapshot } = await store.call(createSnapshot, {});
  let end = (): void => undefined;
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  longRuns.register("test.work", async () => {
    await mayEnd;
    await store.writeSql("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('test', 'late', 0)");
  });
  const work = await BackgroundWork.start(store.core);
  await longRuns.run({ kind: "test.work", key: "", payload: {} }, 0);
  const { keep } = snapshots.stillness;
  snapshots.stillness = {
    keep: (restore) => {
      setTimeout(end);
      return keep(restore);
    },
  };
  await store.call(restoreSnapshot, { snapshotId: snapshot.id });
  await longRuns.settled();
  expect(await ground.store.read.sql.values("SELECT id FROM tombstones")).toEqual([]);
  await work.close();
});
