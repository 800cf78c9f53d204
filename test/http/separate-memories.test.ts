import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { autoForget } from "../../src/governance/retention/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { exported } from "../support/exported-store.ts";
import type { TestHttp } from "../support/http.ts";
import { memorySteps } from "../support/memory-steps.ts";
import { given, meshStores, taken } from "../support/mesh-stores.ts";

const { close, open } = meshStores(() => http);
afterEach(close);

let http: TestHttp;
beforeEach(async () => {
  http = await open();
});

/** A long statement of one module's owner: any two have more than nine tenths of their words in common. */
const owner = (module: string) =>
  `The ${module} module is owned by the platform crew in Berlin, which reviews every change to its public interface ` +
  "before release and answers questions about it on the channel for builds; ask them first, never after the merge";

const separate = async (content: string, more: Readonly<Record<string, unknown>> = {}) =>
  http.ok(remember, { content, separate: true, ...more });

async function latest(of: TestHttp = http): Promise<string[]> {
  const listed = await of.ok(listMemories, { latest: true });
  return ("memories" in listed ? listed.memories : []).map(({ content }) => content).sort();
}

describe("a memory that is kept apart", () => {
  test("leaves one that says nearly the same as it is, and names it; both are found", async () => {
    const first = (await http.ok(remember, { content: owner("auth"), title: "Owner of auth" })).memoryId;
    const second = await separate(owner("billing"));
    expect(second).toMatchObject({
      version: 1,
      similarTo: { id: first, title: "Owner of auth" },
      memory: { supersedes: [], relatedIds: [], origin: { separate: true } },
    });
    expect(second).not.toHaveProperty("superseded");
    const { found, memory } = memorySteps(http);
    expect((await found("auth module")).sort()).toEqual([first, second.memoryId].sort());
    expect((await memory(first)).isLatest).toBe(true);
  });

  test("replaces the very same text, however often it is said", async () => {
    await separate("Port 80 of the gateway is closed");
    await separate("Port 90 of the gateway is closed");
    const again = await separate("Port 80 of the gateway is closed");
    expect(again.version).toBe(2);
    expect(await latest()).toEqual(["Port 80 of the gateway is closed", "Port 90 of the gateway is closed"]);
  });

  test("is the one of two equally similar ones that a repetition of its text replaces", async () => {
    const first = (await separate("Port 80 of the gateway is closed")).memoryId;
    await separate("Port 90 of the gateway is closed");
    const again = await http.ok(remember, { content: "Port 80 of the gateway is closed" });
    expect(again.superseded).toBe(first);
  });

  test("is no contradiction of others on its subject, nor are its later versions", async () => {
    const concepts = ["ownership"];
    await http.ok(remember, { content: owner("auth"), concepts });
    const { memoryId } = await separate(owner("billing"), { concepts });
    const third = await separate(owner("search"), { concepts });
    expect(third.similarTo?.similarity).toBeGreaterThan(0.9);
    await http.ok(evolve, { memoryId, newContent: `${owner("billing")}!` });
    // Said again without the wish, it takes the place of its own earlier version.
    await http.ok(remember, { content: `${owner("search")}.`, concepts });
    const all = [owner("auth"), `${owner("billing")}!`, `${owner("search")}.`];
    expect(await latest()).toEqual(all);
    expect((await http.ok(autoForget, {})).contradictions).toEqual([]);
    expect(await latest()).toEqual(all);
  });

  test("stays apart in a copy of the store, and in a store that it is exchanged with", async () => {
    const concepts = ["ownership"];
    await http.ok(remember, { content: owner("auth"), concepts });
    await separate(owner("billing"), { concepts });
    const [copy, peer] = [await open(), await open()];
    await copy.ok(importStore, { exportData: await exported(http) });
    await taken(peer, { ...(await given(http)), from: "office" });
    for (const other of [copy, peer]) {
      expect((await other.ok(autoForget, {})).contradictions).toEqual([]);
      expect(await latest(other)).toEqual([owner("auth"), owner("billing")]);
    }
  });
});
