import { afterEach, expect, test } from "vitest";
import { question } from "../../test/support/asked-model.ts";
import { openTestCore, type TestCore } from "../../test/support/core.ts";
import { health } from "../governance/health/operations.ts";

let store: TestCore;
afterEach(() => store.close());

test("without a provider every question is rejected, and the health report shows noop", async () => {
  store = await openTestCore();
  await expect(store.core.ground.llm.ask(question)).rejects.toMatchObject({ code: "unavailable" });
  expect(await store.call(health, {})).toMatchObject({
    llm: { provider: "noop", model: null, today: { calls: 0, tokens: 0, budget: null, byPurpose: {} } },
  });
});

test("a provider that is named but not set up counts as none", async () => {
  store = await openTestCore({ env: { MEMSVC_PROVIDER: "anthropic" } });
  expect(store.core.ground.llm.provider).toBe("noop");
});
