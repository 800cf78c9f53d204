import { describe, expect, test } from "vitest";
import { blue, broken, openAskedModel, question } from "../../test/support/asked-model.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { dayMs } from "../time/durations.ts";
import { usageToday } from "./usage.ts";

const asked = forEachTest(openAskedModel);

describe("a request that is repeated without a schema", () => {
  const blank = { kind: "text", text: " " } as const;

  test("is counted twice, with the tokens of both, even if the second one fails", async () => {
    const { core } = await asked.open();
    asked.server.answer([blank, broken]);
    await asked.failed();
    asked.server.answer([blank, blue]);
    await asked.model().ask(question);
    expect(await usageToday(core.ground)).toEqual({
      calls: 4,
      tokens: 3 * 120,
      byPurpose: { summary: { calls: 4, failures: 3, tokens: 3 * 120 } },
    });
  });

  test("has its schema again the next time if it failed without it too", async () => {
    await asked.open();
    asked.server.answer([{ kind: "status", status: 400 }, broken, blue]);
    await asked.failed();
    await asked.model().ask(question);
    expect(asked.server.seen.map(({ asksForSchema }) => asksForSchema)).toEqual([true, false, true]);
  });

  test("takes two calls of the hourly limit and never exceeds it", async () => {
    const { advance } = await asked.open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "3" });
    asked.server.answer({ kind: "status", status: 400 });
    expect(await asked.failed()).toMatchObject({ code: "provider_failed" });
    advance(1_000);
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 3_599_000 });
    expect(asked.server.seen).toHaveLength(3);
  });

  test("stays within the daily budget", async () => {
    await asked.open({ MEMSVC_LLM_DAILY_TOKENS: "100" });
    asked.server.answer(blank);
    expect(await asked.failed()).toMatchObject({ code: "unavailable" });
    expect(asked.server.seen).toHaveLength(1);
  });
});

test.each([
  ["breaks off", { kind: "cut" }],
  ["a gateway stopped waiting for", { kind: "status", status: 504 }],
  ["has an unexpected shape", { kind: "malformed" }],
] as const)("an answer that %s is counted with the tokens sent for it", async (_, reply) => {
  const { core } = await asked.open();
  asked.server.answer(reply);
  await asked.failed();
  expect((await usageToday(core.ground)).tokens).toBeGreaterThan(0);
});

describe("the calls", () => {
  test("are limited per hour", async () => {
    const { advance } = await asked.open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "2" });
    asked.server.answer(blue);
    await asked.model().ask(question);
    advance(1_000);
    await asked.model().ask(question);
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 3_599_000 });
    advance(3_599_000);
    await asked.model().ask(question);
  });

  test("are limited for exactly an hour, even if the clock is set back", async () => {
    const { advance } = await asked.open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "1" });
    asked.server.answer(blue);
    await asked.model().ask(question);
    advance(-dayMs);
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 3_600_000 });
    advance(3_600_000);
    await asked.model().ask(question);
  });

  test("are limited in how many run at once", async () => {
    await asked.open({ MEMSVC_LLM_CONCURRENCY: "2" });
    let atOnce = 0;
    let most = 0;
    let release = () => {};
    const second = new Promise<void>((resolve) => {
      release = resolve;
    });
    asked.server.answer(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      if (atOnce === 2) release();
      await second;
      // Time for a third call to arrive, if it were let through.
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return blue;
    });
    await Promise.all(
      Array.from({ length: 7 }, (_, at) => asked.model().ask({ ...question, prompt: `The sky ${at}.` })),
    );
    expect(most).toBe(2);
    expect(asked.server.seen).toHaveLength(7);
  });
});
