import { expect, test } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { createAction } from "../coordination/actions/operations.ts";
import { acquireLease } from "../coordination/leases/operations.ts";
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
