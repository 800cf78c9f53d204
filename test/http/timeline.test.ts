import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { timeline } from "../../src/recall/timeline/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let http: TestHttp;
let ids: string[];
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`;
const words = ["alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo"];

async function observed(minute: number, more: object = {}) {
  const { observationId } = await http.ok(observe, {
    sessionId: minute >= 5 ? "late" : minute % 2 === 0 ? "even" : "odd",
    hookType: "prompt_submit",
    project: minute < 5 ? "shop" : "bank",
    cwd: minute < 5 ? "/w/shop" : "/w/bank",
    timestamp: at(minute),
    data: { prompt: `plant a ${words[minute]} here` },
    ...more,
  });
  return observationId;
}

beforeEach(async () => {
  http = await openTestHttp();
  ids = [];
  for (let minute = 0; minute < 7; minute += 1) ids.push(await observed(minute));
});
afterEach(() => http.close());

test("timeline entries name their project unless the request names a project or session", async () => {
  const projects = async (input: object) => {
    const { entries } = await http.ok(timeline, { anchor: ids[4] ?? "", before: 1, after: 1, ...input });
    return entries.map(({ project }) => project);
  };
  expect(await projects({})).toEqual(["shop", "shop", "bank"]);
  expect(await projects({ project: "shop" })).toEqual([undefined, undefined]);
});

async function around(input: Parameters<typeof http.reply>[1]) {
  const { body } = await http.reply(timeline, input);
  const entries = body.entries as { observation: { id: string }; relativePosition: number }[];
  return entries.map(({ observation, relativePosition }) => [
    words[ids.indexOf(observation.id)],
    relativePosition,
  ]);
}

describe("a timeline around an observation", () => {
  test("has it at position 0, with the requested numbers before and after", async () => {
    const answer = await http.ok(timeline, { anchor: ids[3] ?? "", before: 2, after: 1 });
    expect(answer).toMatchObject({ anchorIndex: 2, anchor: ids[3], anchorType: "observation" });
    expect(await around({ anchor: ids[3], before: 2, after: 1 })).toEqual([
      ["birch", -2],
      ["cedar", -1],
      ["dogwood", 0],
      ["elm", 1],
    ]);
    expect(await around({ anchor: ids[0], before: 0, after: 0 })).toEqual([["alder", 0]]);
  });

  test("can be limited to a project or a session", async () => {
    expect(await around({ anchor: ids[4], sessionId: "even" })).toEqual([
      ["alder", -2],
      ["cedar", -1],
      ["elm", 0],
    ]);
    expect(await around({ anchor: ids[3], project: "shop" })).toEqual([
      ["alder", -3],
      ["birch", -2],
      ["cedar", -1],
      ["dogwood", 0],
      ["elm", 1],
    ]);
  });

  test("sorts events of the same time by arrival", async () => {
    const twin = await observed(3, { data: { prompt: "plant another here" } });
    const { entries } = await http.ok(timeline, { anchor: ids[3] ?? "", before: 0, after: 1 });
    expect(entries.map(({ observation }) => observation.id)).toEqual([ids[3], twin]);
  });

  test("that is unknown is a 404", async () => {
    expect((await http.reply(timeline, { anchor: "obs_unknown" })).status).toBe(404);
  });
});

describe("a timeline around a time", () => {
  test("has an event of exactly that time at position 0", async () => {
    expect(await http.ok(timeline, { anchor: at(3), before: 1, after: 1 })).toMatchObject({
      anchorIndex: 1,
      anchorType: "timestamp",
    });
    expect(await around({ anchor: at(3), before: 1, after: 1 })).toEqual([
      ["cedar", -1],
      ["dogwood", 0],
      ["elm", 1],
    ]);
  });

  test("between two events has no position 0", async () => {
    expect(await around({ anchor: "2026-03-01T10:03:30Z", before: 1, after: 2 })).toEqual([
      ["dogwood", -1],
      ["elm", 1],
      ["fir", 2],
    ]);
  });

  test("may be told in words", async () => {
    expect(await around({ anchor: "today", before: 1, after: 1 })).toEqual([["alder", 1]]);
    http.advance(24 * 3_600_000);
    expect(await around({ anchor: "what happened yesterday", before: 1, after: 1 })).toEqual([["alder", 1]]);
    expect(await http.ok(timeline, { anchor: "before today", before: 1, after: 1 })).toMatchObject({
      anchorType: "timestamp",
      anchorIndex: 1,
      entries: [{ relativePosition: -1 }],
    });
  });

  test("of some minutes or hours ago is that moment, not the beginning of its day", async () => {
    http.advance(2 * 60_000);
    const there = await around({ anchor: at(2), before: 1, after: 1 });
    expect(await around({ anchor: "2 hours ago", before: 1, after: 1 })).toEqual(there);
    expect(await around({ anchor: "120m ago", before: 1, after: 1 })).toEqual(there);
    // May be the name of something.
    expect(await http.ok(timeline, { anchor: "120m" })).toMatchObject({ anchorType: "text" });
  });

  test("after the last event has the number of entries as anchorIndex", async () => {
    expect(await http.ok(timeline, { anchor: "2026-03-02", before: 2, after: 2 })).toMatchObject({
      anchorIndex: 2,
    });
  });
});

test.each(["2026-13-01", "2026-02-30", "2026-03-01T25:99"])(
  "a timeline around %s is refused, since there is no such time",
  async (anchor) => {
    await observed(6, { data: { prompt: `plant it on ${anchor}, the gardener wrote` } });
    const { status, body } = await http.reply(timeline, { anchor });
    const problem = expect.stringContaining("anchor must be a day and an hour that exist");
    expect([status, body.error]).toEqual([400, problem]);
  },
);

describe("a timeline around words", () => {
  test("has the best hit at position 0", async () => {
    const answer = await http.ok(timeline, { anchor: "the dogwood", before: 1, after: 0 });
    expect(answer).toMatchObject({ anchorType: "text", anchorIndex: 1 });
    expect(answer.entries.at(-1)?.observation.id).toBe(ids[3]);
  });

  test("takes the hit from the requested session or project", async () => {
    expect((await around({ anchor: "plant", sessionId: "odd", before: 0, after: 0 }))[0]?.[0]).toMatch(
      /birch|dogwood/u,
    );
    expect((await around({ anchor: "plant", project: "bank", before: 0, after: 0 }))[0]?.[0]).toMatch(
      /fir|ginkgo/u,
    );
    const [hit] = await around({ anchor: "plant", project: "shop", before: 0, after: 0 });
    expect(hit).toEqual([expect.stringMatching(/alder|birch|cedar|dogwood|elm/u), 0]);
  });

  test("finds the hit of a session behind hundreds of better ones", async () => {
    for (let n = 0; n < 201; n += 1)
      await observed(4, { sessionId: `s${n}`, data: { prompt: `heron ${"heron ".repeat(n % 7)}` } });
    const wanted = await observed(4, {
      sessionId: "even",
      data: {
        prompt: `once, among very many other words about trees and rivers, a heron stood by ${words.join(" ")}`,
      },
    });
    const { entries } = await http.ok(timeline, { anchor: "heron", sessionId: "even", before: 0, after: 0 });
    expect(entries.map(({ observation }) => observation.id)).toEqual([wanted]);
  });

  test("without a hit says so", async () => {
    expect(await http.ok(timeline, { anchor: "zebra" })).toMatchObject({
      entries: [],
      anchorIndex: -1,
      reason: "no_match",
    });
  });
});

test("a timeline is capped at 100 entries per side, and an invalid number is refused", async () => {
  for (let n = 0; n < 105; n += 1) await observed(6, { data: { prompt: `more ${n}` } });
  expect((await http.ok(timeline, { anchor: ids[6] ?? "", before: 0, after: 1e9 })).entries).toHaveLength(
    101,
  );
  for (const input of [{ before: -1 }, { after: 1.5 }, { before: "x" }, { anchor: " " }])
    expect((await http.reply(timeline, { anchor: ids[0], ...input })).status).toBe(400);
});

test("a timeline shows an isolated agent neither another's anchor nor its events", async () => {
  await http.close();
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  const anns = await observed(0, { sessionId: "a", agentId: "ann" });
  const bobs = await observed(1, { sessionId: "b", agentId: "bob" });
  ids = [anns, bobs];
  expect((await http.reply(timeline, { anchor: bobs, agentId: "ann" })).status).toBe(404);
  expect(await around({ anchor: anns, agentId: "ann" })).toEqual([["alder", 0]]);
  expect(await around({ anchor: "plant", agentId: "bob" })).toEqual([["birch", 0]]);
  expect((await http.reply(timeline, { anchor: "plant" })).status).toBe(400);
});
