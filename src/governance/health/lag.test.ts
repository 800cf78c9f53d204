import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("an event loop that stalls repeatedly is reported, but not after it has recovered", async () => {
  const { core, close } = await openTestCore();
  await core.health.start();
  for (let stall = 0; stall < 4; stall += 1) {
    block(600);
    await pause(1);
  }
  expect((await core.health.sample()).eventLoopLagMs).toBeGreaterThan(150);
  const lagNow = async () => (await core.health.sample()).eventLoopLagMs;
  await expect.poll(lagNow, { interval: 1_000 }).toBeLessThan(150);
  core.health.stop();
  await close();
});
