import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);
const isolated = forEachTest(() => openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } }));

const { found, observed, remembered } = searchSteps(() => http);

/** The clock of these tests shows the first of March. */
const yesterday = "2026-02-28T10:00:00Z";

/** What an agent was asked yesterday, in a session of its own. */
const asked = (agentId: string, prompt: string, given: Readonly<Record<string, unknown>> = {}) =>
  observed(prompt, { agentId, sessionId: `of ${agentId}`, timestamp: yesterday, ...given });

describe("a search for what an agent did", () => {
  test.each([
    ["what did codex do yesterday", "codex"],
    ["Codex's work yesterday", "codex"],
    ["what has claude code done yesterday?", "claude-code"],
    ["was hat Codex gestern gemacht", "codex"],
  ])("finds the work of that agent only: %s", async (query, agent) => {
    const ids = new Map([
      ["codex", await asked("codex", "Measure the checkout")],
      ["claude-code", await asked("claude-code", "Rename the cart flag")],
    ]);
    expect(await found(query)).toEqual([ids.get(agent)]);
  });

  test.each([
    ["what did codex do yesterday", "codex"],
    ["what did claude code do yesterday", "claude-code"],
  ])("finds its sessions by their tag, and those of an agent of that name: %s", async (query, agent) => {
    const tagged = async (tag: string, prompt: string, timestamp = yesterday) =>
      observed(prompt, { sessionId: `tagged ${tag}`, timestamp, tags: [tag] });
    const ids = new Map([
      ["codex", [await asked("codex", "Measure the checkout"), await tagged("codex", "Log the queue")]],
      ["claude-code", [await tagged("claude-code", "Let's use Valkey for what Codex logs.")]],
    ]);
    await tagged("codex", "Log the pool", "2026-02-20T10:00:00Z");
    await remembered("Codex did it yesterday.");
    expect((await found(query)).toSorted()).toEqual(ids.get(agent)?.toSorted());
  });

  test("finds what that agent decided, and what it left to do", async () => {
    const decision = await asked("codex", "Let's use Kafka for the orders.");
    await asked("claude-code", "Let's use Valkey for the sessions.");
    const left = (agentId: string, lastMessage: string) =>
      asked(agentId, "", { hookType: "stop", data: { lastMessage } });
    const open = await left("codex", "The orders are sent. Still to do: the dead letters.");
    await left("claude-code", "The sessions are stored. Still to do: their expiry.");
    expect(await found("what did codex decide yesterday")).toEqual([decision]);
    expect((await found("what did codex leave open"))[0]).toBe(open);
    expect(await found("which todo of claude-code is open")).toHaveLength(1);
  });

  test("finds nothing of other agents where that agent did nothing", async () => {
    await asked("claude-code", "Let's use Valkey for what Codex decides.");
    await asked("codex", "Measure the checkout", { project: "site", cwd: "/w/site" });
    expect(await found("what did codex decide yesterday", { project: "shop" })).toEqual([]);
  });

  test("takes the name for a word where more is asked", async () => {
    const hooks = await asked("claude-code", "Parse the hooks of codex");
    await asked("codex", "Measure the checkout");
    expect((await found("parse hooks codex yesterday"))[0]).toBe(hooks);
  });
});

test("with isolated agents, naming another agent shows nothing of it", async () => {
  const event = { sessionId: "s", project: "shop", cwd: "/w/shop", hookType: "prompt_submit" };
  await isolated.ok(observe, {
    ...event,
    timestamp: yesterday,
    agentId: "codex",
    data: { prompt: "Measure it" },
  });
  const { results } = await isolated.ok(smartSearch, {
    query: "what did codex do yesterday",
    agentId: "claude",
  });
  expect(results).toEqual([]);
});
