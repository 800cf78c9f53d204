import { startDaemon } from "./daemon.ts";
import { makeEvents, makeMemories } from "./events.ts";
import type { Figure } from "./figures.ts";
import { type Latencies, load } from "./load.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 10_000;
const clients = 10;
const roundMs = 4_000;
/** More than a round uses up. */
const bodiesPerRound = 16_000;
/** Between an answer and the same client's next event: ten agents that work as fast as agents do, and faster. */
const agentPauseMs = 50;

/** Acknowledged writes over HTTP, each after its own flush to the disk. */
export async function measureWrites(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const daemon = await startDaemon(await shelf.home(storeSize));
  const observed: Latencies[] = [];
  const unhurried: Latencies[] = [];
  const remembered: Latencies[] = [];
  try {
    const post = (path: string, bodies: readonly string[], durationMs: number, pauseMs = 0) =>
      load({ url: `${daemon.url}${path}`, bodies, clients, durationMs, pauseMs });
    await post("/observe", eventBodies(2_000, 1_000), roundMs);
    for (let round = 0; round < rounds; round += 1) {
      observed.push(await post("/observe", eventBodies(bodiesPerRound, 2_000 + round), roundMs));
      unhurried.push(await post("/observe", eventBodies(2_000, 4_000 + round), roundMs, agentPauseMs));
      remembered.push(await post("/remember", memoryBodies(bodiesPerRound / 2, 3_000 + round), roundMs));
    }
  } finally {
    await daemon.stop();
  }
  return [
    ...figuresOf("observe", observed),
    ...latenciesOf(`observe, each client every ${agentPauseMs} ms:`, unhurried),
    ...figuresOf("remember", remembered),
  ];
}

const section = "writes, 10 clients, 10,000 documents";

function figuresOf(operation: string, rounds: readonly Latencies[]): Figure[] {
  return [
    ...latenciesOf(operation, rounds),
    {
      section,
      name: operation,
      unit: "per s",
      target: 1_500,
      rounds: rounds.map(({ perSecond }) => perSecond),
    },
  ];
}

function latenciesOf(load: string, rounds: readonly Latencies[]): Figure[] {
  return [
    { section, name: `${load} p50`, unit: "ms", target: 3, rounds: rounds.map(({ p50Ms }) => p50Ms) },
    { section, name: `${load} p99`, unit: "ms", target: 15, rounds: rounds.map(({ p99Ms }) => p99Ms) },
  ];
}

export function eventBodies(count: number, seed: number): string[] {
  return Array.from(makeEvents({ documents: count, seed }), (body) =>
    JSON.stringify({ ...body, sessionId: `${body.sessionId}-${seed}` }),
  );
}

function memoryBodies(count: number, seed: number): string[] {
  return Array.from(makeMemories({ documents: count, seed }), (body) => JSON.stringify(body));
}
