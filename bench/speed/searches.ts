import { makeCorpus, makeQueries, type QueryClass } from "../corpus.ts";
import { startDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import { type Latencies, load } from "./load.ts";
import type { StoreShelf } from "./stores.ts";
import { eventBodies } from "./writes.ts";

const storeSize = 100_000;
const roundMs = 3_000;
const queriesPerRound = 3_000;
/** Number of attempts, half a second apart, before giving up. */
const patience = 240;
const classes: readonly QueryClass[] = ["rare", "mixed", "frequent"];

/** Measures a daemon over a store of full size: start, memory, searches, and how long writes wait beside searches. */
export async function measureSearches(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const home = await shelf.home(storeSize);
  const readyMs = await startTimes(home, rounds);
  const daemon = await startDaemon(home);
  const searched = new Map<QueryClass, Latencies[]>(classes.map((kind) => [kind, []]));
  const observed: Latencies[] = [];
  const rssMib: number[] = [];
  try {
    const post = (path: string, bodies: readonly string[], clients: number, pauseMs: number) =>
      load({ url: `${daemon.url}${path}`, bodies, clients, durationMs: roundMs, pauseMs });
    const search = (kind: QueryClass, seed: number) => post("/smart-search", queryBodies(kind, seed), 1, 0);
    await search("mixed", 1);
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of classes) searched.get(kind)?.push(await search(kind, 10 + round));
      const [beside] = await Promise.all([
        post("/observe", eventBodies(queriesPerRound, 5_000 + round), 2, 10),
        search("frequent", 20 + round),
      ]);
      observed.push(beside);
      rssMib.push(daemon.rssMib());
    }
  } finally {
    await daemon.stop();
  }
  const section = "daemon, 100,000 documents";
  return [
    { section, name: "ready", unit: "ms", target: 400, rounds: readyMs },
    { section, name: "resident memory under load", unit: "MiB", target: 150, rounds: rssMib },
    ...[...searched].flatMap(([kind, latencies]): Figure[] => [
      {
        section,
        name: `search p50, ${kind} words`,
        unit: "ms",
        target: 8,
        rounds: latencies.map(({ p50Ms }) => p50Ms),
      },
      {
        section,
        name: `search p99, ${kind} words`,
        unit: "ms",
        target: 25,
        rounds: latencies.map(({ p99Ms }) => p99Ms),
      },
    ]),
    {
      section,
      name: "observe p99 while searches run",
      unit: "ms",
      target: 15,
      rounds: observed.map(({ p99Ms }) => p99Ms),
    },
  ];
}

/** Measures hybrid searches: keywords, vectors and graph for each answer. */
export async function measureHybrid(
  shelf: StoreShelf,
  rounds: number,
  { documents, targets }: HybridSize,
): Promise<Figure[]> {
  const home = await shelf.homeWithVectors(documents);
  const daemon = await startDaemon(home, [], shelf.modelSettings);
  const searched: Latencies[] = [];
  const rssMib: number[] = [];
  try {
    const search = (seed: number) =>
      load({
        ...{ url: `${daemon.url}/smart-search`, bodies: queryBodies("mixed", seed), clients: 1, pauseMs: 0 },
        durationMs: roundMs,
      });
    await untilVectorsAnswer(daemon.url);
    await search(1);
    for (let round = 0; round < rounds; round += 1) {
      searched.push(await search(10 + round));
      rssMib.push(daemon.rssMib());
    }
  } finally {
    await daemon.stop();
  }
  const section = `daemon, ${documents.toLocaleString("en")} documents with vectors`;
  return [
    {
      ...{ section, name: "search p50, mixed words", unit: "ms", target: targets.p50Ms },
      rounds: searched.map(({ p50Ms }) => p50Ms),
    },
    {
      ...{ section, name: "search p99, mixed words", unit: "ms", target: targets.p99Ms },
      rounds: searched.map(({ p99Ms }) => p99Ms),
    },
    { section, name: "resident memory", unit: "MiB", rounds: rssMib },
  ];
}

export interface HybridSize {
  readonly documents: number;
  readonly targets: { readonly p50Ms: number; readonly p99Ms: number };
}

export const hybridSizes = {
  usual: { documents: 100_000, targets: { p50Ms: 8, p99Ms: 40 } },
  large: { documents: 1_000_000, targets: { p50Ms: 45, p99Ms: 120 } },
} as const satisfies Record<string, HybridSize>;

/** Waits until searches use vectors: a daemon loads them in the background and answers without them until then. */
async function untilVectorsAnswer(url: string): Promise<void> {
  const [body = ""] = queryBodies("mixed", 2);
  for (let attempt = 0; attempt < patience; attempt += 1) {
    const answer = await fetch(`${url}/smart-search`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const { streams } = (await answer.json()) as { streams?: string[] };
    if (streams?.includes("vector") === true) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("the vectors were not loaded in time");
}

async function startTimes(home: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const daemon = await startDaemon(home);
    times.push(daemon.readyMs);
    await daemon.stop();
  }
  return times;
}

const { vocabulary } = makeCorpus({ documents: 0 });

function queryBodies(kind: QueryClass, seed: number): string[] {
  return makeQueries(vocabulary, kind, queriesPerRound, seed).map((query) => JSON.stringify({ query }));
}
