import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { observe } from "../../capture/observations/operations.ts";
import { loadSettings } from "../../config/load.ts";
import { Core } from "../../core.ts";
import { forget, remember } from "../../knowledge/memories/operations.ts";
import { graphStats, resetGraph } from "../operations.ts";
import { countPending } from "../storage/pending-rows.ts";
import { pendingLayersOf } from "./pending.ts";

const caller = { face: "library" } as const;
const logged: string[] = [];
let home: string;
let core: Core;

async function open(): Promise<void> {
  const { settings } = loadSettings({ home, env: {}, fileText: undefined });
  core = await Core.open({ home, settings, log: (_level, message) => logged.push(message) });
}

beforeEach(async () => {
  home = temporaryFolder();
  logged.length = 0;
  await open();
});

afterEach(() => core.close());

/** Runs work that leaves pending rows; with fake timers only a reader places them, however slow the machine is. */
async function left<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

const keep = (at: number) =>
  core.call(remember, { content: `Decision number ${at}`, concepts: [`topic${at}`] }, caller);
const note = (what: string) =>
  core.call(
    observe,
    {
      sessionId: "one",
      hookType: "prompt_submit",
      project: "shop",
      cwd: "/home/dev/shop",
      timestamp: "2026-03-01T10:00:00Z",
      data: { prompt: `Rename the handler ${what}` },
    },
    caller,
  );

const keepAll = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => keep(at)));
const pending = () => countPending(core.ground.store.read.sql);
const nodes = async () => {
  const [row] = await core.ground.store.read.sql.values("SELECT count(*) FROM graph_nodes");
  return Number(row?.[0]);
};

test("a row is placed in the graph when somebody reads it", async () => {
  await left(() => keep(1));
  expect([await pending(), await nodes()]).toEqual([1, 0]);
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 1 });
  expect(await pending()).toBe(0);
});

test("rows are placed once writers pause, even without a reader", async () => {
  await keepAll(40);
  await expect.poll(async () => [await pending(), await nodes()]).toEqual([0, 40]);
});

test("pending rows survive their process", async () => {
  await left(() => keep(1));
  await core.close();
  await open();
  expect(await pending()).toBe(1);
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 1 });
});

test("a process that ends places its pending rows", async () => {
  await left(() => keepAll(40));
  await core.close();
  await open();
  expect([await pending(), await nodes()]).toEqual([0, 40]);
});

test("a store that cannot be read any more can still be closed", async () => {
  await left(() => keep(1));
  await core.ground.store.write((tx) => tx.sql.run("DROP TABLE graph_pending"));
  await core.close();
  expect(logged).toContain("rows were left to get their places in the graph later");
  await open();
});

test("a damaged row is logged and blocks no other row", async () => {
  for (const [content, concept] of [
    ["Herons fish at dawn", "herons"],
    ["Ledgers close on Fridays", "ledgers"],
    ["Buses run late", "buses"],
  ] as const)
    await left(() => core.call(remember, { content, concepts: [concept] }, caller));
  await core.ground.store.write((tx) => tx.sql.run("UPDATE graph_pending SET traits = '{' WHERE key = 2"));
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 2 });
  expect([await pending(), logged]).toEqual([0, ["a record gets no place in the graph"]]);
});

test("a record that is deleted while it is pending leaves nothing in the graph", async () => {
  const { memoryId } = await left(() => keep(1));
  await core.call(remember, { content: "Releases are tagged by hand", concepts: ["release"] }, caller);
  await core.call(forget, { memoryId }, caller);
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 1 });
});

test("rows that are pending when the graph is reset do not come back", async () => {
  await left(() => keep(1));
  await core.call(resetGraph, {}, caller);
  await pause(150);
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 0 });
});

test("a reader of the graph stops waiting for a long write, and that is logged", async () => {
  await left(() => keep(1));
  let end = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const long = core.ground.store.writeAlone(() => isOver);
  await pendingLayersOf(core.ground).settled();
  expect(logged).toContain("the graph is read without the rows that wait for their place in it");
  expect(await pending()).toBe(1);
  end();
  await long;
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 1 });
});

test("a reader of the graph waits as long as rows are being placed", async () => {
  await left(() => keepAll(320));
  const { store } = core.ground;
  const write = store.write.bind(store);
  // Five writes of 64 rows take longer in all than a reader waits without progress.
  vi.spyOn(store, "write").mockImplementation(async (...given) => {
    await pause(250);
    return write(...given);
  });
  expect(await core.call(graphStats, {}, caller)).toMatchObject({ nodes: 320 });
  expect([await pending(), logged]).toEqual([0, []]);
});

test("a reader of the graph does not wait for the rows that come after it asked", async () => {
  let isOver = false;
  const write = async (writer: number) => {
    for (let at = 0; !isOver; at += 1) await note(`${writer}.${at}`);
  };
  const writers = [1, 2, 3, 4].map(write);
  await pause(300);
  await core.call(graphStats, {}, caller);
  isOver = true;
  await Promise.all(writers);
  // It did not give up, which it would say.
  expect(logged).toEqual([]);
});
