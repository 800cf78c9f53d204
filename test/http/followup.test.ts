import { beforeEach, expect, test } from "vitest";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { followup } from "../../src/recall/followup/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
beforeEach(async () => {
  await http.ok(remember, { content: "herons nest in tall trees" });
  await http.ok(remember, { content: "otters swim in cold rivers" });
});

async function search(query: string, more: object = { sessionId: "s1" }) {
  await http.ok(smartSearch, { query, ...more });
  await http.core.search.notes.settled();
}

async function counts() {
  const { agentInitiatedSearches, followupWithinWindow, rate } = await http.ok(followup, {});
  return [agentInitiatedSearches, followupWithinWindow, rate];
}

test("a second search within 30 seconds with other results is a follow-up", async () => {
  expect(await counts()).toEqual([0, 0, 0]);
  await search("herons");
  http.advance(30_000);
  await search("otters");
  expect(await counts()).toEqual([2, 1, 0.5]);
  expect(await http.ok(followup, {})).toMatchObject({
    windowSeconds: 30,
    caveat: expect.stringMatching(/refine/u),
  });
});

test("a search is counted as soon as its answer has arrived", async () => {
  for (const query of ["herons", "otters", "otters"]) await http.ok(smartSearch, { query, sessionId: "s1" });
  expect(await counts()).toEqual([3, 1, 1 / 3]);
});

test("a search later than the window, repeated or with a common result is no follow-up", async () => {
  await search("herons");
  http.advance(30_001);
  await search("otters");
  await search("  OTTERS ");
  await search("otters rivers");
  expect(await counts()).toEqual([4, 0, 0]);
});

test("the same question is no follow-up, also when it finds something else", async () => {
  await search("herons otters", { sessionId: "s1", limit: 1 });
  const [found] = (await http.ok(smartSearch, { query: "herons otters", limit: 1 })).results;
  await http.ok(forget, { memoryId: found?.obsId ?? "" });
  await search(" Herons  OTTERS", { sessionId: "s1", limit: 1 });
  expect(await counts()).toEqual([2, 0, 0]);
});

test("searches are forgotten after a day", async () => {
  await search("herons");
  http.advance(dayMs + 1);
  await search("otters", { sessionId: "s2" });
  expect(await dumpStore(http)).not.toContain('"herons"');
});

test("searches without a session, without results or from the viewer are not counted", async () => {
  await search("herons", {});
  await search("zebra");
  await search("herons", { sessionId: "s1", source: "viewer" });
  expect(await counts()).toEqual([0, 0, 0]);
});

test("forgetting a session deletes its searches", async () => {
  await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop" });
  await search("herons");
  await http.ok(forget, { sessionId: "s1", includeSession: true });
  expect(await dumpStore(http)).not.toContain('"herons"');
  await search("otters");
  expect(await counts()).toEqual([2, 0, 0]);
});

test("a search in another session is no follow-up", async () => {
  await search("herons", { sessionId: "s1" });
  await search("otters", { sessionId: "s2" });
  expect(await counts()).toEqual([2, 0, 0]);
});
