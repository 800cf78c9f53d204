import { makeCorpus, makeQueries, type QueryClass } from "../corpus.ts";
import { startDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import { type Latencies, load } from "./load.ts";
import type { StoreShelf } from "./stores.ts";
import { eventBodies } from "./writes.ts";

const storeSize = 100_000;
const roundMs = 3_000;
const queriesPerRound = 3_000;
const classes: readonly QueryClass[] = ["rare", "mixed", "frequent"];

/** The daemon at its full size: how fast it starts, what it holds, how it searches, and who waits for that. */
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
