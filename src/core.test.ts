import { expect, test } from "vitest";
import { openTestCore } from "../test/support/core.ts";

test("all long work has its handler, whether its service was asked for before or not", async () => {
  const { core, close } = await openTestCore();
  try {
    const kinds = core.jobHandlers().map(({ kind }) => kind);
    // Reading every property makes every service.
    expect(Object.values(core)).not.toHaveLength(0);
    expect(core.jobHandlers().map(({ kind }) => kind)).toEqual(kinds);
  } finally {
    await close();
  }
});
