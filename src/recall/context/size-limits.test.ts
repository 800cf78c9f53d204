import { describe, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { startSession } from "../../capture/sessions/operations.ts";
import { remember } from "../../knowledge/memories/operations.ts";
import { asking, project } from "./context-fixture.ts";

describe("the context block at the start of a session", () => {
  const memsvc = forEachTest(() => openTestCore({ env: { MEMSVC_TOKEN_BUDGET: "2000" } }));

  const start = (limits: object) => memsvc.call(startSession, { ...asking, ...limits });

  async function remembered(text: string): Promise<void> {
    for (let number = 10; number < 30; number += 1) {
      const content = `${number} ${text.repeat(300)}`.slice(0, 290);
      await memsvc.call(remember, { content, type: "architecture", project, separate: true });
    }
  }

  test.each(["ж", "重试", "😀"])(
    "of %s has at most as many bytes as the agent takes, and hardly fewer",
    async (text) => {
      const maxBytes = 10_000;
      await remembered(text);
      const whole = await start({});
      expect(Buffer.byteLength(whole.context)).toBeGreaterThan(maxBytes);
      const { context, tokenCount } = await start({ maxBytes });
      expect(Buffer.byteLength(context)).toBeLessThanOrEqual(maxBytes);
      // One memory more would not fit.
      expect(Buffer.byteLength(context)).toBeGreaterThan(maxBytes - 1_300);
      expect(tokenCount).toBeLessThan(whole.tokenCount);
      expect(context).toMatch(/^<memsvc-context .*<\/memsvc-context>$/su);
    },
  );

  test("has at most as many characters as the agent takes", async () => {
    await remembered("retries ");
    const { context } = await start({ maxCharacters: 3_000 });
    expect(context.length).toBeLessThanOrEqual(3_000);
    expect(context.length).toBeGreaterThan(2_600);
  });

  test("is the same as without limits that it does not reach", async () => {
    await remembered("retries ");
    const { context } = await start({});
    expect((await start({ maxCharacters: context.length, maxBytes: context.length })).context).toBe(context);
    expect((await start({ maxBytes: 10 })).context).toBe("");
  });
});
