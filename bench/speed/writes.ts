import { fork } from "node:child_process";
import { startDaemon } from "./daemon.ts";
import { makeEvents, makeMemories } from "./events.ts";
import type { Figure } from "./figures.ts";
import { type Latencies, load } from "./load.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 10_000;
const clients = 10;
const roundMs = 4_000;
/** More than a round can send. */
const bodiesPerRound = 16_000;
/** Mean pause between an answer and the same client's next event; shorter than real agents pause. */
const agentPauseMs = 50;
/** An answer within this time did not wait for pending rows. */
const quickMs = 200;

/** Measures writes over HTTP, each of which is acknowledged only after its flush to the disk. */
export async function measureWrites(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const daemon = await startDaemon(await shelf.home(storeSize));
  const observed: Latencies[] = [];
  const unhurried: Latencies[] = [];
  const remembered: Latencies[] = [];
  const post = (url: string, bodies: readonly string[], pauseMs = 0) =>
    load({ url, bodies, clients, durationMs: roundMs, pauseMs });
  const write = async (route: string, bodies: readonly string[], pauseMs = 0) => {
    await allInGraph(daemon.url);
    return post(`${daemon.url}${route}`, bodies, pauseMs);
  };
  try {
    await write("/observe", eventBodies(2_000, 1_000));
    for (let round = 0; round < rounds; round += 1) {
      observed.push(await write("/observe", eventBodies(bodiesPerRound, 2_000 + round)));
      unhurried.push(await write("/observe", eventBodies(2_000, 4_000 + round), agentPauseMs));
      remembered.push(await write("/remember", memoryBodies(bodiesPerRound / 2, 3_000 + round)));
    }
  } finally {
    await daemon.stop();
  }
  const bare: Latencies[] = [];
  const bareUnhurried: Latencies[] = [];
  await withBareService(async (url) => {
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await post(url, eventBodies(bodiesPerRound, 5_000 + round)));
      bareUnhurried.push(await post(url, eventBodies(2_000, 6_000 + round), agentPauseMs));
    }
  });
  return [
    ...untargeted(figuresOf("a bare service", bare)),
    ...untargeted(latenciesOf(`a bare service, each client every ${agentPauseMs} ms:`, bareUnhurried)),
    ...figuresOf("observe", observed),
    ...latenciesOf(`observe, each client every ${agentPauseMs} ms:`, unhurried),
    ...figuresOf("remember", remembered),
  ];
}

/**
 * Waits until all rows of an earlier load are placed in the graph: `/graph/stats` itself waits a second for that at
 * most.
 */
async function allInGraph(url: string): Promise<void> {
  for (;;) {
    const askedAt = performance.now();
    const answer = await fetch(`${url}/graph/stats`);
    if (!answer.ok) throw new Error(`GET /graph/stats answered ${answer.status}`);
    await answer.arrayBuffer();
    if (performance.now() - askedAt < quickMs) return;
  }
}

/** Runs `work` with the bare service, which it starts and ends. */
async function withBareService(work: (url: string) => Promise<void>): Promise<void> {
  const service = fork(new URL("./bare-service.ts", import.meta.url), { execArgv: ["--import", "tsx"] });
  try {
    const port = await new Promise((resolve, reject) => {
      service.once("message", resolve);
      service.once("exit", (code) => reject(new Error(`the bare service ended with ${code}`)));
    });
    await work(`http://127.0.0.1:${port}`);
  } finally {
    service.disconnect();
  }
}

/** The figures without targets: they are floors in the results. */
function untargeted(figures: readonly Figure[]): Figure[] {
  return figures.map(({ target: _target, ...figure }) => figure);
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
