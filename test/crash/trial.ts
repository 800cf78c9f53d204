import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../cli/program-process.ts";
import { serveWell, storeOf } from "./daemon.ts";
import { missingOverHttp } from "./found-over-http.ts";
import { writeOverHttp } from "./http-load.ts";
import { acknowledgedWrites, type Ledger } from "./ledger.ts";
import { writeOffline } from "./offline-load.ts";
import { storeFaults } from "./store-faults.ts";
import { seededRandom, spelled, uniqueWords } from "./words.ts";

const clients = 4;
const eventsPerBatch = 12;
const shortestLifeMs = 30;
const longestLifeMs = 900;
/** Between the two kills of a trial that kills one process after the other. */
const longestGapMs = 60;

export interface Trial {
  /** Writes of this trial that were acknowledged before the kill. */
  readonly acknowledged: number;
  readonly lifeMs: number;
  /** Everything that is missing or wrong afterwards, also of earlier trials on the same home. */
  readonly faults: readonly string[];
}

/**
 * One crash: a daemon with four clients and a second writing process on one home, killed with SIGKILL at a moment
 * that the seed chooses; then a new daemon, which must show everything that the ledger holds.
 */
export async function runTrial(sandbox: Sandbox, ledger: Ledger, seed: number): Promise<Trial> {
  const random = seededRandom(seed);
  const before = acknowledgedWrites(ledger);
  const lifeMs = shortestLifeMs + Math.floor(random() * (longestLifeMs - shortestLifeMs));
  await writeUntilKilled(sandbox, ledger, { random, lifeMs, word: `q${spelled(seed)}` });
  const acknowledged = acknowledgedWrites(ledger) - before;

  const restarted = await serveWell(sandbox);
  const faults = ledger.refusals.splice(0);
  try {
    faults.push(...(await missingOverHttp(restarted.url, ledger)), ...storeFaults(storeOf(sandbox), ledger));
  } finally {
    const { exit, stderr } = await restarted.end("SIGTERM");
    if (exit !== 0) faults.push(`after SIGTERM the daemon ended with ${exit}: ${stderr}`);
  }
  return { acknowledged, lifeMs, faults };
}

interface Life {
  readonly random: () => number;
  readonly lifeMs: number;
  /** Beginning of this trial's words and sessions. */
  readonly word: string;
}

async function writeUntilKilled(
  sandbox: Sandbox,
  ledger: Ledger,
  { random, lifeMs, word }: Life,
): Promise<void> {
  const daemon = await serveWell(sandbox);
  let isOver = false;
  const writer = (name: string) => ({
    sessionId: `${word}-${name}`,
    random,
    nextWord: uniqueWords(word + name),
    isOver: () => isOver,
  });
  const overHttp = Array.from({ length: clients }, (_, at) =>
    writeOverHttp({ url: daemon.url, ...writer(spelled(at)) }, ledger),
  );
  const offline = writeOffline({ sandbox, eventsPerBatch, ...writer(spelled(clients)) }, ledger);
  await sleep(lifeMs);
  const kills = [() => daemon.end("SIGKILL"), async () => offline.kill()];
  if (random() < 0.5) kills.reverse();
  const gapMs = random() < 0.5 ? 0 : random() * longestGapMs;
  const [first, second] = kills;
  const ended = first?.();
  if (gapMs > 0) await sleep(gapMs);
  await Promise.all([ended, second?.()]);
  isOver = true;
  await Promise.all([...overHttp, offline.done]);
}
