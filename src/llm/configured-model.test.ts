import { describe, expect, test } from "vitest";
import { blue, broken, openAskedModel, question } from "../../test/support/asked-model.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { whileCollecting } from "../../test/support/garbage.ts";
import { health } from "../governance/health/operations.ts";
import { dayMs, hourMs } from "../time/durations.ts";

const asked = forEachTest(openAskedModel);

describe("the guard", () => {
  test("stops asking a failing provider, and lets one question try after a minute", async () => {
    const { advance } = await asked.open();
    asked.server.answer(broken);
    for (let time = 0; time < 3; time += 1)
      expect(await asked.failed()).toMatchObject({ code: "provider_failed" });
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 60_000 });
    expect(asked.server.seen).toHaveLength(3);
    advance(60_000);
    asked.server.answer(blue);
    const answers = await Promise.allSettled([
      asked.model().ask(question),
      asked.model().ask({ ...question, prompt: "The sea." }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(asked.model().state().state).toBe("closed");
  });

  test("lets one question try after a minute even if the clock is set back", async () => {
    const { advance } = await asked.open();
    asked.server.answer(broken);
    for (let time = 0; time < 3; time += 1) await asked.failed();
    advance(-dayMs);
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 60_000 });
    expect(asked.model().state()).toMatchObject({ openedAt: Date.parse("2026-03-01T12:00:00.000Z") });
    advance(60_000);
    asked.server.answer(blue);
    await asked.model().ask(question);
  });

  test("lets another question try after one that the hourly limit stopped", async () => {
    const { advance } = await asked.open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "3" });
    asked.server.answer(broken);
    for (let time = 0; time < 3; time += 1) await asked.failed();
    advance(60_000);
    await expect(asked.model().ask(question)).rejects.toThrow("MEMSVC_LLM_MAX_CALLS_PER_HOUR");
    advance(hourMs);
    asked.server.answer(blue);
    await asked.model().ask(question);
  });

  test("includes the provider's last error when it rejects a question", async () => {
    await asked.open();
    asked.server.answer({ kind: "status", status: 401, message: "no such key" });
    await asked.failed();
    await expect(asked.model().ask(question)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("(openai: HTTP 401: no such key)"),
    });
    expect(asked.server.seen).toHaveLength(1);
  });

  test("reports the last problem if it opens between two attempts", async () => {
    await asked.open();
    asked.server.answer({ kind: "text", text: "no" });
    await asked.failed();
    await expect(asked.model().ask(question)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("(openai: it is not a JSON object)"),
      extra: { reason: "unreadable" },
    });
    expect(asked.server.seen).toHaveLength(3);
  });

  test("takes its waiting time from Retry-After", async () => {
    await asked.open();
    asked.server.answer({ kind: "status", status: 429, retryAfter: "90" });
    for (let time = 0; time < 3; time += 1) await asked.failed();
    expect(await asked.failed()).toEqual({ code: "unavailable", retryAfterMs: 90_000 });
  });

  test("shows its state and a refused key in the health report, but never the key itself", async () => {
    const key = "sk-test-0123456789abcdef";
    const { call, core } = await asked.open({ OPENAI_API_KEY: key });
    asked.server.answer({ kind: "status", status: 401, message: `wrong key ${key}` });
    await asked.failed();
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

  test("shows in the health report why answers are unusable, until one is usable", async () => {
    const { core } = await asked.open();
    asked.server.answer({ kind: "status", status: 404, message: "no model gpt-4o-mini here" });
    await asked.failed();
    expect((await core.health.sample()).notes).toContain(
      "openai gave no usable answer: HTTP 404: no model gpt-4o-mini here; to choose another model: memsvc config set OPENAI_MODEL <name>",
    );
    asked.server.answer({ kind: "status", status: 404, message: "no such page" });
    await asked.failed();
    expect((await core.health.sample()).notes).toContain(
      "openai gave no usable answer: HTTP 404: no such page",
    );
    asked.server.answer(blue);
    await asked.model().ask(question);
    expect((await core.health.sample()).notes.join()).not.toContain("openai");
  });

  test("gives up a trickling answer at its timeout, even while garbage is collected", async () => {
    await asked.open({ MEMSVC_LLM_TIMEOUT_MS: "300" });
    asked.server.answer({ kind: "trickle" });
    expect(await whileCollecting(() => asked.failed())).toEqual({
      code: "provider_failed",
      reason: "timed_out",
    });
  });

  test("rejects an answer that is much longer than was asked for", async () => {
    await asked.open();
    asked.server.answer({ kind: "json", value: { colour: "blue", shade: "a".repeat(300_000) } });
    await expect(asked.model().ask(question)).rejects.toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining("longer than was asked for"),
    });
  });
});

describe("fallbacks", () => {
  test("are asked in order, each behind its own guard", async () => {
    await asked.open({
      ...asked.server.env("gemini"),
      ...asked.server.env("anthropic"),
      ...asked.server.env("openai"),
      MEMSVC_FALLBACK_PROVIDERS: "gemini,anthropic",
    });
    asked.server.answer(({ kind }) => (kind === "anthropic" ? blue : broken));
    expect(await asked.model().ask(question)).toMatchObject({
      provider: "anthropic",
      model: "claude-haiku-4-5",
    });
    expect(asked.server.seen.map(({ kind }) => kind)).toEqual(["openai", "gemini", "anthropic"]);
    await asked.model().ask(question);
    await asked.model().ask(question);
    await asked.model().ask(question);
    expect(asked.server.seen.slice(9).map(({ kind }) => kind)).toEqual(["anthropic"]);
  });

  test("that answer unusably say why, also if the first provider is not asked", async () => {
    await asked.open({
      ...asked.server.env("gemini"),
      ...asked.server.env("openai"),
      MEMSVC_FALLBACK_PROVIDERS: "gemini",
    });
    asked.server.answer(({ kind }) => (kind === "gemini" ? blue : broken));
    for (let time = 0; time < 3; time += 1) await asked.model().ask(question);
    asked.server.answer({ kind: "text", text: "no" });
    expect(await asked.failed()).toEqual({ code: "provider_failed", reason: "unreadable" });
  });

  test("are not asked while the first provider answers", async () => {
    await asked.open({
      ...asked.server.env("gemini"),
      ...asked.server.env("openai"),
      MEMSVC_FALLBACK_PROVIDERS: "gemini",
    });
    asked.server.answer(blue);
    await asked.model().ask(question);
    expect(asked.server.seen.map(({ kind }) => kind)).toEqual(["openai"]);
  });
});

describe("the key that a server was sent", () => {
  const key = "a passphrase of our own";
  test("is redacted where the server quotes it in an error or an answer", async () => {
    await asked.open(asked.server.env("openai", key));
    asked.server.answer([
      { kind: "status", status: 400, message: `no such key: ${key}` },
      { kind: "status", status: 400, message: `no such key: ${key}` },
      { kind: "json", value: { colour: `the key is ${key}` } },
    ]);
    const refusal = await asked
      .model()
      .ask(question)
      .catch((error: unknown) => error);
    expect(String(refusal)).toContain("no such key: [REDACTED_SECRET]");
    expect((await asked.model().ask(question)).value).toEqual({ colour: "the key is [REDACTED_SECRET]" });
  });
});
