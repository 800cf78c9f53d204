/*
 * Loads a daemon for a while as several busy agents do, and watches its resident memory: writes, searches, contexts,
 * session starts, lists and now and then a whole export. Run `npm run build` first.
 *
 *   npx tsx bench/soak.ts [--minutes 10] [--documents 10000] [--shelf <folder>]
 *
 * Memory grows while caches fill, so growth is counted from the end of the first minute. Exits with 1 when it grows by
 * more than 200 MiB or a request fails.
 */

import { parseArgs } from "node:util";
import { makeCorpus, makeQueries } from "./corpus.ts";
import { percentile } from "./percentile.ts";
import { type RunningDaemon, startDaemon } from "./speed/daemon.ts";
import { makeMemories } from "./speed/events.ts";
import { type LoadRequest, load } from "./speed/load.ts";
import { openShelf } from "./speed/stores.ts";
import { eventBodies } from "./speed/writes.ts";

const mostGrownMib = 200;
const roundMs = 10_000;
const warmRounds = 6;
/** Every twelfth round exports the whole store. */
const exportEvery = 12;
const sampleEveryMs = 500;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    documents: { type: "string", default: "10000" },
    shelf: { type: "string" },
  },
});

const { vocabulary } = makeCorpus({ documents: 0 });
const shelf = openShelf(values.shelf);
try {
  const daemon = await startDaemon(await shelf.home(Number(values.documents)));
  try {
    process.exitCode = (await soak(daemon, Number(values.minutes))) <= mostGrownMib ? 0 : 1;
  } finally {
    await daemon.stop();
  }
} finally {
  shelf.close();
}

/** Returns the greatest growth of the daemon's memory after its first minute, in MiB. */
async function soak(daemon: RunningDaemon, minutes: number): Promise<number> {
  const rounds = warmRounds + Math.ceil((minutes * 60_000) / roundMs);
  let warmMib = Number.NaN;
  let mostMib = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { highestMib, requests } = await busyRound(daemon, round);
    if (round === warmRounds) warmMib = highestMib;
    if (round > warmRounds) mostMib = Math.max(mostMib, highestMib);
    const minute = ((round + 1) * roundMs) / 60_000;
    console.log(`${minute.toFixed(1)} min: ${requests} requests, ${highestMib.toFixed(0)} MiB at the most`);
  }
  const grownMib = mostMib - warmMib;
  console.log(`from ${warmMib.toFixed(0)} to ${mostMib.toFixed(0)} MiB: ${grownMib.toFixed(0)} MiB more`);
  return grownMib;
}

interface Client {
  readonly requests: readonly LoadRequest[];
  readonly count: number;
  readonly pauseMs: number;
}

async function busyRound(
  daemon: RunningDaemon,
  round: number,
): Promise<{ highestMib: number; requests: number }> {
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(daemon.rssMib()), sampleEveryMs);
  try {
    const [exported, ...loads] = await Promise.all([
      round % exportEvery === exportEvery - 1 ? readExport(daemon.url) : 0,
      ...clientsOf(round).map(({ requests, count, pauseMs }) =>
        load({ url: daemon.url, bodies: requests, clients: count, durationMs: roundMs, pauseMs }),
      ),
    ]);
    const sent = loads.reduce((sum, { perSecond }) => sum + (perSecond * roundMs) / 1_000, exported);
    return { highestMib: percentile(samples, 1), requests: Math.round(sent) };
  } finally {
    clearInterval(sampling);
  }
}

/** New events, memories and questions for each round; more than there is time for. */
function clientsOf(round: number): Client[] {
  const seed = 10_000 + round;
  const posts = (path: string, bodies: readonly unknown[]): LoadRequest[] =>
    bodies.map((body) => ({ path, body: JSON.stringify(body) }));
  const events = eventBodies(1_600, seed).map((body) => ({ path: "/observe", body }));
  const memories = posts("/remember", [...makeMemories({ documents: 100, seed })]);
  const searches = posts(
    "/smart-search",
    makeQueries(vocabulary, "mixed", 400, seed).map((query) => ({ query })),
  );
  const glances = Array.from({ length: 100 }, (_, at): LoadRequest[] => {
    const project = `project-${at % 5}`;
    const session = { sessionId: `soak-${round}-${at}`, project };
    return [
      ...posts("/session/start", [{ ...session, cwd: `/code/${project}` }]),
      ...posts("/context", [session]),
      { path: `/observations?sessionId=${session.sessionId}&limit=50` },
      { path: `/memories?limit=50&offset=${at}` },
      ...posts("/timeline", [{ anchor: new Date().toISOString(), project }]),
      { path: `/profile?project=${project}` },
      ...posts("/session/end", [{ sessionId: session.sessionId }]),
    ];
  }).flat();
  return [
    { requests: events, count: 4, pauseMs: 50 },
    { requests: memories, count: 1, pauseMs: 200 },
    { requests: searches, count: 2, pauseMs: 100 },
    { requests: glances, count: 1, pauseMs: 50 },
  ];
}

/** Reads a whole export; returns the number of requests made. */
async function readExport(url: string): Promise<1> {
  const { body, ok } = await fetch(`${url}/export`);
  if (!ok || body === null) throw new Error("the export failed");
  await body.pipeTo(new WritableStream());
  return 1;
}
