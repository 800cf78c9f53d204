import { expect, test } from "vitest";
import { blue, openAskedModel, question } from "../../test/support/asked-model.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";

const asked = forEachTest(openAskedModel);

test("a question that two callers ask at once is sent once and answered to both", async () => {
  await asked.open();
  asked.server.answer(blue);
  const both = await Promise.all([
    asked.model().ask(question),
    asked.model().ask({ ...question, background: true }),
  ]);
  expect(both.map(({ value }) => value)).toEqual([blue.value, blue.value]);
  expect(asked.server.seen).toHaveLength(1);
  await asked.model().ask(question);
  expect(asked.server.seen).toHaveLength(2);
});

test("a question that fails for two callers at once is paid for once", async () => {
  await asked.open();
  asked.server.answer({ kind: "text", text: "I would rather not" });
  expect(await Promise.all([asked.failed(), asked.failed()])).toEqual(
    Array(2).fill({ code: "provider_failed", reason: "unreadable" }),
  );
  expect(asked.server.seen).toHaveLength(2);
});

test("a question that a limit blocks for one caller is asked for another", async () => {
  await asked.open({ MEMSVC_LLM_DAILY_TOKENS: "400", MEMSVC_LLM_MAX_TOKENS: "500" });
  asked.server.answer(blue);
  const [held, passed] = await Promise.allSettled([
    asked.model().ask({ ...question, background: true }),
    asked.model().ask(question),
  ]);
  expect([held.status, passed.status]).toEqual(["rejected", "fulfilled"]);
});

test("a question is withdrawn when the service stops", async () => {
  await asked.open();
  asked.server.answer({ kind: "never" });
  const stopped = asked.failed();
  await expect.poll(() => asked.server.seen).toHaveLength(1);
  await asked.model().close();
  expect(await stopped).toEqual({ code: "unavailable", retryAfterMs: 0 });
  expect(asked.model().state().failures).toBe(0);
});
