import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../bench/corpus.ts";
import { openSandbox, type Sandbox } from "../cli/program-process.ts";
import { type RunningDaemon, serveWell, storeOf } from "./daemon.ts";
import { missingOverHttp } from "./found-over-http.ts";
import { writeOverHttp } from "./http-load.ts";
import { acknowledgedWrites, emptyLedger, type Ledger } from "./ledger.ts";
import { writeOffline } from "./offline-load.ts";
import { storeFaults } from "./store-faults.ts";
import { spelled, uniqueWords } from "./words.ts";

const clients = 4;
const eventsPerBatch = 12;
const shortestLifeMs = 30;
const longestLifeMs = 900;
/** Longest time between the kills of the two processes of a trial. */
const longestGapMs = 60;
const shareStopped = 0.3;
/**
 * A trial must have at least this many acknowledged observations and memories before the kill; usually there are many
 * more.
 */
const fewestWrites = 2;

export interface Trial {
  /** Writes of this trial that were acknowledged before the kill. */
  readonly acknowledged: number;
  readonly lifeMs: number;
  /** Everything that is missing or wrong afterwards, also of earlier trials on the same home. */
  readonly faults: readonly string[];
}

/** A store that lives through crash after crash. */
export class CrashHome {
  readonly ledger: Ledger = emptyLedger();
  readonly #sandbox = openSandbox();
  /** The daemon that was started to check the last crash, if it still runs; the next trial kills it. */
  #daemon: RunningDaemon | undefined;

  /**
   * One crash: a daemon with four clients and a second writing process are killed with SIGKILL at a time that the seed
   * determines. Then a new daemon must show everything that the ledger holds. Some of these daemons are stopped; most
   * go on and are killed in the next trial.
   */
  async trial(seed: number): Promise<Trial> {
    const random = seededRandom(seed);
    const before = acknowledgedWrites(this.ledger);
    const lifeMs = shortestLifeMs + Math.floor(random() * (longestLifeMs - shortestLifeMs));
    const daemon = this.#daemon ?? (await serveWell(this.#sandbox));
    this.#daemon = undefined;
    const life = { sandbox: this.#sandbox, daemon, random, lifeMs, word: `q${spelled(seed)}` };
    await writeUntilKilled(life, this.ledger);
    const acknowledged = acknowledgedWrites(this.ledger) - before;

    this.#daemon = await serveWell(this.#sandbox);
    const faults = this.ledger.refusals.splice(0);
    faults.push(
      ...(await missingOverHttp(this.#daemon.url, this.ledger)),
      ...storeFaults(storeOf(this.#sandbox), this.ledger),
    );
    if (random() < shareStopped) faults.push(...(await this.#stop()));
    return { acknowledged, lifeMs, faults };
  }

  /** Returns what is wrong with how the last daemon ended. */
  async close(): Promise<string[]> {
    const faults = await this.#stop();
    this.#sandbox.remove();
    return faults;
  }

  async #stop(): Promise<string[]> {
    const ending = await this.#daemon?.end("SIGTERM");
    this.#daemon = undefined;
    if (ending === undefined || ending.exit === 0) return [];
    return [`after SIGTERM the daemon ended with ${ending.exit}: ${ending.stderr}`];
  }
}

interface Life {
  readonly sandbox: Sandbox;
  readonly daemon: RunningDaemon;
  readonly random: () => number;
  readonly lifeMs: number;
  /** Prefix of this trial's words and session ids. */
  readonly word: string;
}

async function writeUntilKilled(
  { sandbox, daemon, random, lifeMs, word }: Life,
  ledger: Ledger,
): Promise<void> {
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
  let areDone = false;
  // Clients are also done when the daemon hangs or crashes; the check afterwards reports what is missing.
  const clientsDone = Promise.all(overHttp).then(() => {
    areDone = true;
  });
  const offline = writeOffline({ sandbox, eventsPerBatch, ...writer(spelled(clients)) }, ledger);
  const [observations, memories] = [ledger.observations.length, ledger.memories.length];
  const hasMuchToLose = () =>
    ledger.observations.length >= observations + fewestWrites &&
    ledger.memories.length >= memories + fewestWrites;
  await sleep(lifeMs);
  while (!hasMuchToLose() && !areDone) await sleep(5);
  const kills = [() => daemon.end("SIGKILL"), async () => offline.kill()];
  if (random() < 0.5) kills.reverse();
  const gapMs = random() < 0.5 ? 0 : random() * longestGapMs;
  const [first, second] = kills;
  const ended = first?.();
  if (gapMs > 0) await sleep(gapMs);
  await Promise.all([ended, second?.()]);
  isOver = true;
  await Promise.all([clientsDone, offline.done]);
}
