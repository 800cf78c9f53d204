import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type RunningDaemon, startDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 20_000;
const sampleEveryMs = 100;

/** The daemon writes its whole store, and takes it into an empty one: how fast, and in how much memory. */
export async function measureTransfer(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-transfer-"));
  const file = join(folder, "export.json");
  const [exported, imported, grown]: [number[], number[], number[]] = [[], [], []];
  try {
    const full = await startDaemon(await shelf.home(storeSize));
    for (let round = 0; round < rounds; round += 1) {
      const { seconds, grownMib } = await watched(full, () => exportTo(file, full));
      exported.push(storeSize / seconds);
      grown.push(grownMib);
    }
    await full.stop();
    for (let round = 0; round < rounds; round += 1) {
      const empty = await startDaemon(join(folder, `home-${round}`));
      const { seconds, grownMib } = await watched(empty, () => importFrom(createReadStream(file), empty));
      imported.push(storeSize / seconds);
      grown.push(grownMib);
      await empty.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const section = "daemon, 20,000 documents";
  return [
    { section, name: "rows exported", unit: "per s", target: 50_000, rounds: exported },
    { section, name: "rows imported and indexed", unit: "per s", target: 10_000, rounds: imported },
    { section, name: "memory that both add", unit: "MiB", target: 200, rounds: [Math.max(...grown)] },
  ];
}

async function exportTo(file: string, { url }: RunningDaemon): Promise<void> {
  const { body } = await fetch(`${url}/export`);
  if (body === null) throw new Error("the export has no body");
  await pipeline(Readable.fromWeb(body as never), createWriteStream(file));
}

/** Sends the text of an export to a daemon. */
export async function importFrom(text: AsyncIterable<Uint8Array>, { url }: RunningDaemon): Promise<void> {
  const response = await fetch(`${url}/import`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Readable.toWeb(Readable.from(envelope(text))) as never,
    ...{ duplex: "half" },
  });
  if (!response.ok) throw new Error(`the import was answered with ${response.status}`);
}

async function* envelope(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"exportData":');
  yield* text;
  yield Buffer.from("}");
}

export interface Watched {
  readonly seconds: number;
  readonly grownMib: number;
}

/** Runs a work against a daemon; tells how long it took and how much the daemon's memory grew at the most. */
export async function watched(daemon: RunningDaemon, work: () => Promise<void>): Promise<Watched> {
  const before = daemon.rssMib();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, daemon.rssMib());
  }, sampleEveryMs);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return { seconds: (performance.now() - startedAt) / 1_000, grownMib: most - before };
}
