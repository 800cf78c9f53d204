import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { DurableSteps } from "./durable-steps.ts";

test("the event loop gets turns between the statements of a long step", async () => {
  const t = await openTestCore();
  const job = { id: "job_1", kind: "consolidate.pipeline", key: "", payload: {}, attempts: 1 };
  let turns = 0;
  await new DurableSteps(t.core.ground, job).take("semantic", async () => async (tx) => {
    setImmediate(() => {
      turns += 1;
    });
    const end = performance.now() + 30;
    while (performance.now() < end) await tx.sql.values("SELECT 1");
    expect(turns).toBe(1);
    return { counts: {}, targetIds: [] };
  });
  await t.close();
});
