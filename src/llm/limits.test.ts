import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { openTestCore, type TestCore } from "../../test/support/core.ts";
import { whileCollecting } from "../../test/support/garbage.ts";
import { type ModelServer, openModelServer } from "../../test/support/model-server.ts";
import { health } from "../governance/health/operations.ts";
import { dayMs } from "../time/durations.ts";
import type { LanguageModel, LlmRequest } from "./language-model.ts";
import { usageToday } from "./usage.ts";

/* Whom the configured model asks, and how often: the guard, the fallbacks and the limits together. */

let server: ModelServer;
let store: TestCore | undefined;
beforeEach(async () => {
  server = await openModelServer();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  await server.close();
});

const Answer = z.object({ colour: z.string() });
const question: LlmRequest<typeof Answer> = {
  purpose: "summary",
  instructions: "Name the colour.",
  prompt: "The sky.",
  schema: Answer,
  background: false,
};
const blue = { kind: "json", value: { colour: "blue" } } as const;
const broken = { kind: "status", status: 500 } as const;

async function open(env: Record<string, string> = {}): Promise<TestCore> {
  store = await openTestCore({
    env: { MEMSVC_DURABILITY: "relaxed", ...server.env("openai"), ...env },
    startAt: "2026-03-01T12:00:00.000Z",
  });
  return store;
}

function model(): LanguageModel {
  if (store === undefined) throw new Error("no store is open");
  return store.core.ground.llm;
}

async function failed(request: Partial<LlmRequest<typeof Answer>> = {}): Promise<unknown> {
  return model()
    .ask({ ...question, ...request })
    .then(
      () => {
        throw new Error("the question was answered");
      },
      ({ code, extra }: { code: string; extra: Record<string, unknown> }) => ({ code, ...extra }),
    );
}

describe("the guard", () => {
  test("keeps an unwell provider from being asked, and lets one question try after a minute", async () => {
    const { advance } = await open();
    server.answer(broken);
    for (let time = 0; time < 3; time += 1) expect(await failed()).toMatchObject({ code: "provider_failed" });
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 60_000 });
    expect(server.seen).toHaveLength(3);
    advance(60_000);
    server.answer(blue);
    const answers = await Promise.allSettled([
      model().ask(question),
      model().ask({ ...question, prompt: "The sea." }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(model().state().state).toBe("closed");
  });

  test("lets one question try after a minute even when the clock was set back meanwhile", async () => {
    const { advance } = await open();
    server.answer(broken);
    for (let time = 0; time < 3; time += 1) await failed();
    advance(-dayMs);
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 60_000 });
    expect(model().state()).toMatchObject({ openedAt: Date.parse("2026-03-01T12:00:00.000Z") });
    advance(60_000);
    server.answer(blue);
    await model().ask(question);
  });

  test("tells whom it does not let through what was wrong", async () => {
    await open();
    server.answer({ kind: "status", status: 401, message: "no such key" });
    await failed();
    await expect(model().ask(question)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("(openai: HTTP 401: no such key)"),
    });
    expect(server.seen).toHaveLength(1);
  });

  test("that opens between an answer of no use and the next attempt tells what was wrong", async () => {
    await open();
    server.answer({ kind: "text", text: "no" });
    await failed();
    await expect(model().ask(question)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("(openai: it is not a JSON object)"),
      extra: { reason: "unreadable" },
    });
    expect(server.seen).toHaveLength(3);
  });

  test("reads when to come again off a refusal of too many requests", async () => {
    await open();
    server.answer({ kind: "status", status: 429, retryAfter: "90" });
    for (let time = 0; time < 3; time += 1) await failed();
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 90_000 });
  });

  test("shows its state and the alert of a refused key in the health report, which never shows the key", async () => {
    const key = "sk-test-0123456789abcdef";
    const { call, core } = await open({ OPENAI_API_KEY: key });
    server.answer({ kind: "status", status: 401, message: `wrong key ${key}` });
    await failed();
    await core.health.sample();
    const report = await call(health, {});
    expect(report).toMatchObject({
      circuitBreaker: {
        state: "open",
        failures: 1,
        lastFailureAt: "2026-03-01T12:00:00.000Z",
        openedAt: "2026-03-01T12:00:00.000Z",
      },
      health: { alerts: expect.arrayContaining(["llm_openai_refuses_its_key"]) },
      llm: {
        provider: "openai",
        model: "gpt-4o-mini",
        today: {
          calls: 1,
          tokens: 0,
          budget: null,
          byPurpose: { summary: { calls: 1, failures: 1, tokens: 0 } },
        },
      },
    });
    expect(JSON.stringify(report)).not.toContain(key);
  });

  test("has the health report note why no answer is of use, until one is", async () => {
    const { core } = await open();
    server.answer({ kind: "status", status: 404, message: "no model gpt-4o-mini here" });
    await failed();
    expect((await core.health.sample()).notes).toContain(
      "openai gave no usable answer: HTTP 404: no model gpt-4o-mini here",
    );
    server.answer(blue);
    await model().ask(question);
    expect((await core.health.sample()).notes.join()).not.toContain("openai");
  });

  test("gives up an answer that trickles when its time is over, whatever was collected meanwhile", async () => {
    await open({ MEMSVC_LLM_TIMEOUT_MS: "300" });
    server.answer({ kind: "trickle" });
    expect(await whileCollecting(() => failed())).toEqual({ code: "provider_failed", reason: "timed_out" });
  });

  test("takes an answer without end for none before it is read", async () => {
    await open();
    server.answer({ kind: "json", value: { colour: "blue", shade: "a".repeat(300_000) } });
    await expect(model().ask(question)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("longer than was asked for"),
    });
  });
});

describe("fallbacks", () => {
  test("are asked in their order, each behind its own guard", async () => {
    await open({
      ...server.env("gemini"),
      ...server.env("anthropic"),
      ...server.env("openai"),
      MEMSVC_FALLBACK_PROVIDERS: "gemini,anthropic",
    });
    server.answer(({ kind }) => (kind === "anthropic" ? blue : broken));
    expect(await model().ask(question)).toMatchObject({ provider: "anthropic", model: "claude-haiku-4-5" });
    expect(server.seen.map(({ kind }) => kind)).toEqual(["openai", "gemini", "anthropic"]);
    await model().ask(question);
    await model().ask(question);
    await model().ask(question);
    expect(server.seen.slice(9).map(({ kind }) => kind)).toEqual(["anthropic"]);
  });

  test("are not asked while the first answers", async () => {
    await open({ ...server.env("gemini"), ...server.env("openai"), MEMSVC_FALLBACK_PROVIDERS: "gemini" });
    server.answer(blue);
    await model().ask(question);
    expect(server.seen.map(({ kind }) => kind)).toEqual(["openai"]);
  });
});

describe("the key that a server was sent", () => {
  const key = "a passphrase of our own";
  test("is not told again where the server quotes it in a refusal or in an answer", async () => {
    await open(server.env("openai", key));
    server.answer([
      { kind: "status", status: 400, message: `no such key: ${key}` },
      { kind: "status", status: 400, message: `no such key: ${key}` },
      { kind: "json", value: { colour: `the key is ${key}` } },
    ]);
    const refusal = await model()
      .ask(question)
      .catch((error: unknown) => error);
    expect(String(refusal)).toContain("no such key: [REDACTED_SECRET]");
    expect((await model().ask(question)).value).toEqual({ colour: "the key is [REDACTED_SECRET]" });
  });
});

describe("the daily budget", () => {
  const tight = { MEMSVC_LLM_DAILY_TOKENS: "1500", MEMSVC_LLM_MAX_TOKENS: "500" };

  test("is never exceeded by background work, however many calls run at once", async () => {
    const { core } = await open(tight);
    server.answer(blue);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        model().ask({ ...question, prompt: `The sky ${at + 10}.`, background: true }),
      ),
    );
    const { tokens, calls } = await usageToday(core.ground);
    expect(tokens).toBeLessThanOrEqual(1_500);
    expect(calls).toBeGreaterThan(2);
    expect(answers.filter(({ status }) => status === "rejected").length).toBe(20 - calls);
  });

  test.each([-1_000_000, 1.5, 1e300])(
    "counts the texts where the server tells %d tokens, which no call has",
    async (tokens) => {
      const { core } = await open();
      server.answer({ ...blue, usage: { inputTokens: tokens, outputTokens: tokens } });
      const { usage } = await model().ask(question);
      expect(usage.inputTokens).toBeGreaterThan(0);
      expect(usage.inputTokens).toBeLessThan(1_000);
      expect(usage.outputTokens).toBe(9);
      const { tokens: counted } = await usageToday(core.ground);
      expect(counted).toBe(usage.inputTokens + usage.outputTokens);
    },
  );

  test("makes jobs wait until midnight, and begins anew then", async () => {
    const { advance } = await open({ ...tight, MEMSVC_LLM_DAILY_TOKENS: "100" });
    server.answer(blue);
    expect(await failed({ background: true })).toEqual({ code: "unavailable", retryAfterMs: 12 * 3_600_000 });
    await model().ask(question);
    expect(await failed()).toMatchObject({ code: "unavailable" });
    expect(server.seen).toHaveLength(1);
    advance(12 * 3_600_000);
    await model().ask(question);
  });

  test("outlasts a restart", async () => {
    const first = await open({ MEMSVC_LLM_DAILY_TOKENS: "100" });
    server.answer(blue);
    await model().ask(question);
    await first.core.close();
    const { Core } = await import("../core.ts");
    const again = await Core.open({
      home: first.home,
      settings: first.core.ground.settings,
      now: first.now,
    });
    await expect(again.ground.llm.ask(question)).rejects.toMatchObject({ code: "unavailable" });
    expect(server.seen).toHaveLength(1);
    await again.close();
  });
});

describe("a request that is asked again without a schema", () => {
  const blank = { kind: "text", text: " " } as const;

  test("is in the account twice, with the tokens of both, even when the second fails", async () => {
    const { core } = await open();
    server.answer([blank, broken]);
    await failed();
    server.answer([blank, blue]);
    const { usage } = await model().ask(question);
    expect(usage).toEqual({ inputTokens: 200, outputTokens: 40 });
    expect(await usageToday(core.ground)).toEqual({
      calls: 4,
      tokens: 3 * 120,
      byPurpose: { summary: { calls: 4, failures: 3, tokens: 3 * 120 } },
    });
  });

  test("is asked with it the next time, when it was not answered without it either", async () => {
    await open();
    server.answer([{ kind: "status", status: 400 }, broken, blue]);
    await failed();
    await model().ask(question);
    expect(server.seen.map(({ asksForSchema }) => asksForSchema)).toEqual([true, false, true]);
  });

  test("takes two places of the hour, and none goes out beyond them", async () => {
    const { advance } = await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "3" });
    server.answer({ kind: "status", status: 400 });
    expect(await failed()).toMatchObject({ code: "provider_failed" });
    advance(1_000);
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 3_599_000 });
    expect(server.seen).toHaveLength(3);
  });

  test("stays within the day's budget", async () => {
    await open({ MEMSVC_LLM_DAILY_TOKENS: "100" });
    server.answer(blank);
    expect(await failed()).toMatchObject({ code: "unavailable" });
    expect(server.seen).toHaveLength(1);
  });
});

describe("other limits", () => {
  test("hold the calls of an hour", async () => {
    const { advance } = await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "2" });
    server.answer(blue);
    await model().ask(question);
    advance(1_000);
    await model().ask(question);
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 3_599_000 });
    advance(3_599_000);
    await model().ask(question);
  });

  test("hold the calls of an hour and no longer, even when the clock was set back meanwhile", async () => {
    const { advance } = await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "1" });
    server.answer(blue);
    await model().ask(question);
    advance(-dayMs);
    expect(await failed()).toEqual({ code: "unavailable", retryAfterMs: 3_600_000 });
    advance(3_600_000);
    await model().ask(question);
  });

  test("hold the calls at once", async () => {
    await open({ MEMSVC_LLM_CONCURRENCY: "2" });
    let atOnce = 0;
    let most = 0;
    server.answer(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return blue;
    });
    await Promise.all(
      Array.from({ length: 7 }, (_, at) => model().ask({ ...question, prompt: `The sky ${at}.` })),
    );
    expect(most).toBe(2);
    expect(server.seen).toHaveLength(7);
  });

  test("what two ask at once is asked once, and both get the answer", async () => {
    await open();
    server.answer(blue);
    const both = await Promise.all([model().ask(question), model().ask({ ...question, background: true })]);
    expect(both.map(({ value }) => value)).toEqual([blue.value, blue.value]);
    expect(server.seen).toHaveLength(1);
    await model().ask(question);
    expect(server.seen).toHaveLength(2);
  });

  test("what two ask at once in vain is paid for once", async () => {
    await open();
    server.answer({ kind: "text", text: "I would rather not" });
    expect(await Promise.all([failed(), failed()])).toEqual(
      Array(2).fill({ code: "provider_failed", reason: "unreadable" }),
    );
    expect(server.seen).toHaveLength(2);
  });

  test("whoever asks what a limit holds back for another is asked for by itself", async () => {
    await open({ MEMSVC_LLM_DAILY_TOKENS: "400", MEMSVC_LLM_MAX_TOKENS: "500" });
    server.answer(blue);
    const [held, passed] = await Promise.allSettled([
      model().ask({ ...question, background: true }),
      model().ask(question),
    ]);
    expect([held.status, passed.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("a question is withdrawn by its signal, and all are when the service stops", async () => {
    await open();
    server.answer({ kind: "never" });
    const stop = new AbortController();
    const withdrawn = failed({ signal: stop.signal });
    const stopped = failed();
    setTimeout(() => stop.abort(), 50);
    expect(await withdrawn).toEqual({ code: "unavailable" });
    await model().close();
    expect(await stopped).toEqual({ code: "unavailable", retryAfterMs: 0 });
    expect(model().state().failures).toBe(0);
  });
});

describe("without a provider", () => {
  test("nothing is asked, and the report says none", async () => {
    store = await openTestCore();
    await expect(model().ask(question)).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.call(health, {})).toMatchObject({
      llm: { provider: "noop", model: null, today: { calls: 0, tokens: 0, budget: null, byPurpose: {} } },
    });
  });

  test("a provider that is named but not set up does not keep events from being captured", async () => {
    store = await openTestCore({ env: { MEMSVC_PROVIDER: "anthropic" } });
    expect(model().provider).toBe("noop");
  });
});
