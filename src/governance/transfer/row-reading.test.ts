import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { keepBody } from "./body-outline.ts";
import type { RowBatch } from "./row-batches.ts";
import { inlineRowReading, type RowReading } from "./row-reading.ts";
import { TemporaryFile } from "./temporary-file.ts";
import { threadedRowReading } from "./threaded-row-reading.ts";
import { Warnings } from "./warnings.ts";

const threadFile = join(process.cwd(), "dist", "row-thread.cjs");

let folder: string;
let file: TemporaryFile;
beforeEach(async () => {
  folder = temporaryFolder();
  file = await TemporaryFile.open(folder);
});
afterEach(() => file.close());

/** A body large enough for a thread, in which a session with its summary comes after the observations. */
function bodyOf(lastTitle: unknown): Buffer {
  const observations = Array.from({ length: 3_000 }, (_, number) => ({
    id: `obs_${number}`,
    timestamp: "2026-03-01T10:00:00Z",
    title: "a title",
    narrative: "the queue loses wakeups ".repeat(80),
    odd: 1,
  }));
  const summary = { title: "Queues", narrative: "they were drained" };
  const session = { id: "s1", project: "/w/shop", startedAt: "2026-03-01T10:00:00Z", summary };
  const last = { id: "obs_last", timestamp: "2026-03-01T11:00:00Z", title: lastTitle };
  const exportData = {
    version: "1",
    observations: { s1: observations, s2: [last] },
    whatever: [{ a: 1 }],
    sessions: [session],
  };
  return Buffer.from(JSON.stringify({ strategy: "skip", exportData }));
}

async function read(readRows: RowReading, body: Buffer) {
  const ofBody = new Warnings();
  const pieces = async function* () {
    yield body;
  };
  const settings = { maxImportBytes: Number.MAX_SAFE_INTEGER };
  const { members, strategy } = await keepBody({ settings }, pieces(), file, ofBody);
  const warnings = new Warnings();
  const batches: RowBatch[] = [];
  for await (const batch of readRows({ descriptor: file.descriptor, members }, warnings)) batches.push(batch);
  return { strategy, batches, warnings: [...ofBody.list(), ...warnings.list()] };
}

test("rows come in the order of storage, the same from a thread as in process", async () => {
  const inline = await read(inlineRowReading, bodyOf("a last title"));
  const order = inline.batches.map(({ name, rows }) => [name, rows.length]);
  expect(order[0]).toEqual(["sessions", 1]);
  expect(order.slice(1, -1).reduce((sum, [, rows]) => sum + Number(rows), 0)).toBe(3_001);
  expect(order.at(-1)).toEqual(["summaries", 1]);
  expect(inline.strategy).toBe("skip");
  expect(inline.warnings).toEqual([
    "observations.odd: an unknown field was left out",
    "whatever: an unknown collection was left out",
  ]);
  await file.close();
  file = await TemporaryFile.open(folder);
  expect(await read(threadedRowReading(threadFile), bodyOf("a last title"))).toEqual(inline);
});

test("a thread reports an error as it is reported in process", async () => {
  const fault = { code: "invalid_input", message: expect.stringContaining("observations.s2.0.title") };
  await expect(read(threadedRowReading(threadFile), bodyOf(7))).rejects.toMatchObject(fault);
});

test("a thread ends when its reader stops early", async () => {
  const pieces = async function* () {
    yield bodyOf("a last title");
  };
  const settings = { maxImportBytes: Number.MAX_SAFE_INTEGER };
  const { members } = await keepBody({ settings }, pieces(), file, new Warnings());
  const batches = threadedRowReading(threadFile)({ descriptor: file.descriptor, members }, new Warnings());
  expect((await batches.next()).value).toMatchObject({ name: "sessions" });
  await batches.return(undefined);
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});
