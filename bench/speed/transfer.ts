import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { percentile } from "../percentile.ts";
import { type RunningDaemon, startDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 20_000;
const askEveryMs = 20;

/** Measures an export of a whole store and its import into an empty one: time, memory, and how long others wait. */
export async function measureTransfer(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-transfer-"));
  const file = join(folder, "export.json");
  const [exports, imports]: [Watched[], Watched[]] = [[], []];
  let rows = 0;
  try {
    const home = await shelf.home(storeSize);
    for (let round = 0; round < rounds; round += 1)
      exports.push(await withDaemon(home, (daemon) => exportTo(file, daemon)));
    for (let round = 0; round < rounds; round += 1) {
      const empty = join(folder, `home-${round}`);
      const take = async (daemon: RunningDaemon) => {
        rows = await importFrom(createReadStream(file), daemon);
      };
      imports.push(await withDaemon(empty, take));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const section = "daemon, 20,000 documents";
  const grown = Math.max(...[...exports, ...imports].map(({ grownMib }) => grownMib));
  const speed = (done: readonly Watched[], of: number) => done.map(({ seconds }) => of / seconds);
  return [
    { section, name: "exported", unit: "per s", target: 50_000, rounds: speed(exports, storeSize) },
    { section, name: "rows exported, graph and all", unit: "per s", rounds: speed(exports, rows) },
    {
      section,
      name: "imported and indexed",
      unit: "per s",
      target: 10_000,
      rounds: speed(imports, storeSize),
    },
    { section, name: "rows imported, graph and all", unit: "per s", rounds: speed(imports, rows) },
    { section, name: "memory that both add", unit: "MiB", target: 200, rounds: [grown] },
    {
      section,
      name: "an answer while one runs, p99",
      unit: "ms",
      target: 20,
      rounds: [...exports, ...imports].map(({ waitMs }) => waitMs),
    },
  ];
}

/** Starts a daemon, and watches it while `work` runs. */
export async function withDaemon(
  home: string,
  work: (daemon: RunningDaemon) => Promise<void>,
): Promise<Watched> {
  const daemon = await startDaemon(home);
  try {
    return await watched(daemon, () => work(daemon));
  } finally {
    await daemon.stop();
  }
}

/** Writes what a daemon holds to a file. */
export async function exportTo(file: string, { url }: RunningDaemon): Promise<void> {
  const { body } = await fetch(`${url}/export`);
  if (body === null) throw new Error("the export has no body");
  await pipeline(Readable.fromWeb(body as never), createWriteStream(file));
}

/** Imports the text of an export into a daemon; returns the number of rows written, of all kinds. */
export async function importFrom(text: AsyncIterable<Uint8Array>, { url }: RunningDaemon): Promise<number> {
  // Not fetch(), which gives up when an answer takes more than five minutes.
  const sent = request(`${url}/import`, {
    method: "POST",
    headers: { "content-type": "application/json" },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  await pipeline(Readable.from(envelope(text)), sent);
  const response = await answered;
  const answer = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode !== 200) throw new Error(`the import was answered with ${response.statusCode}`);
  // The cast is safe: the operation declares the shape of its answer.
  const { counts } = JSON.parse(answer) as { counts: Record<string, { written: number }> };
  return Object.values(counts).reduce((sum, { written }) => sum + written, 0);
}

async function* envelope(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"exportData":');
  yield* text;
  yield Buffer.from("}");
}

/** What was measured during `work`: its duration, the greatest growth of memory, and how long other requests took. */
export interface Watched {
  readonly seconds: number;
  readonly grownMib: number;
  /** 99th percentile of the other requests' latencies. */
  readonly waitMs: number;
}

async function watched(daemon: RunningDaemon, work: () => Promise<void>): Promise<Watched> {
  const before = daemon.rssMib();
  let most = before;
  let isOver = false;
  const waits: number[] = [];
  const ask = async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await (await fetch(`${daemon.url}/livez`)).text();
      waits.push(performance.now() - askedAt);
      most = Math.max(most, daemon.rssMib());
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    }
  };
  const startedAt = performance.now();
  const asking = ask();
  try {
    await work();
  } finally {
    isOver = true;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await asking;
  return { seconds, grownMib: most - before, waitMs: percentile(waits, 0.99) };
}
