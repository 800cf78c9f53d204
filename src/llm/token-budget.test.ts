import { describe, expect, test } from "vitest";
import { blue, openAskedModel, question } from "../../test/support/asked-model.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { usageToday } from "./usage.ts";

const asked = forEachTest(openAskedModel);

describe("the daily budget", () => {
  const tight = { MEMSVC_LLM_DAILY_TOKENS: "1500", MEMSVC_LLM_MAX_TOKENS: "500" };

  test("is never exceeded by background work, however many calls run at once", async () => {
    const { core } = await asked.open(tight);
    asked.server.answer({ ...blue, usage: { inputTokens: 20, outputTokens: 400 } });
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        asked.model().ask({ ...question, prompt: `The sky ${at + 10}.`, background: true }),
      ),
    );
    const { tokens, calls } = await usageToday(core.ground);
    expect(tokens).toBeLessThanOrEqual(1_500);
    expect(calls).toBeGreaterThan(2);
    expect(answers.filter(({ status }) => status === "rejected").length).toBe(20 - calls);
  });

  test("is not exceeded by calls at once that use all that they may", async () => {
    const { core } = await asked.open({ ...tight, MEMSVC_LLM_CONCURRENCY: "4" });
    asked.server.answer({ ...blue, usage: { inputTokens: 100, outputTokens: 500 } });
    const questions = ["sky", "sea", "sun", "sand"].map((prompt) => ({
      ...question,
      prompt,
      background: true,
    }));
    await Promise.allSettled(questions.map((one) => asked.model().ask(one)));
    expect((await usageToday(core.ground)).tokens).toBe(1_200);
  });

  test.each([-1_000_000, 1.5, 1e300])(
    "is charged by the length of the texts if the server reports %d tokens",
    async (tokens) => {
      const { core } = await asked.open();
      asked.server.answer({ ...blue, usage: { inputTokens: tokens, outputTokens: tokens } });
      await asked.model().ask(question);
      const used = await core.ground.store.read.sql.all<{ input: number; output: number }>(
        "SELECT input_tokens AS input, output_tokens AS output FROM llm_usage",
      );
      expect(used).toEqual([{ input: expect.any(Number), output: 9 }]);
      expect(used[0]?.input).toBeGreaterThan(0);
      expect(used[0]?.input).toBeLessThan(1_000);
    },
  );

  test("makes jobs wait until midnight, and starts again then", async () => {
    const { advance } = await asked.open({ ...tight, MEMSVC_LLM_DAILY_TOKENS: "100" });
    asked.server.answer(blue);
    expect(await asked.failed({ background: true })).toEqual({
      code: "unavailable",
      retryAfterMs: 12 * 3_600_000,
    });
    await asked.model().ask(question);
    expect(await asked.failed()).toMatchObject({ code: "unavailable" });
    expect(asked.server.seen).toHaveLength(1);
    advance(12 * 3_600_000);
    await asked.model().ask(question);
  });

  test("survives a restart", async () => {
    const first = await asked.open({ MEMSVC_LLM_DAILY_TOKENS: "100" });
    asked.server.answer(blue);
    await asked.model().ask(question);
    await first.core.close();
    const { Core } = await import("../core.ts");
    const again = await Core.open({
      home: first.home,
      settings: first.core.ground.settings,
      now: first.now,
    });
    await expect(again.ground.llm.ask(question)).rejects.toMatchObject({ code: "unavailable" });
    expect(asked.server.seen).toHaveLength(1);
    await again.close();
  });
});
