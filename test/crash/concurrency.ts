import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../bench/corpus.ts";
import type { Sandbox } from "../cli/program-process.ts";
import { serveWell, storeOf } from "./daemon.ts";
import { missingOverHttp } from "./found-over-http.ts";
import { writeOverHttp } from "./http-load.ts";
import {
  type Ask,
  type Asked,
  askDaemon,
  askProcess,
  leaseFaults,
  takeAndGiveBack,
} from "./lease-history.ts";
import type { Ledger } from "./ledger.ts";
import { writeOffline } from "./offline-load.ts";
import { storeFaults } from "./store-faults.ts";
import { spelled, uniqueWords } from "./words.ts";

const clients = 3;
const offlineWriters = 3;
const eventsPerBatch = 40;
const contendedActions = 2;
const enoughAnswers = 6;
const patienceSeconds = 30;

/**
 * Lets a daemon and three other processes write to one home, while agents compete for the same actions, through the
 * daemon and without it. Returns what went wrong: refusals, lost or duplicate records, an action with two holders.
 */
export async function writeTogether(sandbox: Sandbox, ledger: Ledger, seconds: number): Promise<string[]> {
  const daemon = await serveWell(sandbox);
  let isOver = false;
  const writer = (number: number) => ({
    sessionId: `together-${spelled(number)}`,
    random: seededRandom(number),
    nextWord: uniqueWords(`q${spelled(number)}`),
    isOver: () => isOver,
  });
  const overHttp = Array.from({ length: clients }, (_, at) =>
    writeOverHttp({ url: daemon.url, ...writer(at) }, ledger),
  );
  const offline = Array.from({ length: offlineWriters }, (_, at) =>
    writeOffline({ sandbox, eventsPerBatch, ...writer(clients + at) }, ledger),
  );
  const actionIds = await makeActions(daemon.url);
  const taker = (agentId: string, ask: Ask, number: number) =>
    takeAndGiveBack(
      { ask, agentId, actionIds, random: seededRandom(number), isOver: () => isOver },
      ledger.leases,
    );
  const takers = [
    taker("ann", askDaemon(daemon.url), 1),
    taker("bob", askDaemon(daemon.url), 2),
    taker("cyd", askProcess(sandbox), 3),
  ];
  await sleep(seconds * 1_000);
  // On a busy machine it takes longer until agents have competed often enough.
  for (let waited = 0; waited < patienceSeconds && !isContended(ledger); waited += 1) await sleep(1_000);
  isOver = true;
  await Promise.all([...overHttp, ...offline.map(({ done }) => done), ...takers]);
  const faults = [...ledger.refusals.splice(0), ...leaseFaults(ledger.leases)];
  try {
    faults.push(...(await missingOverHttp(daemon.url, ledger)), ...storeFaults(storeOf(sandbox), ledger));
  } finally {
    await daemon.end("SIGTERM");
  }
  return faults;
}

/** Whether agents have often enough got an action, and often enough found one taken. */
export function isContended({ leases }: Pick<Ledger, "leases">): boolean {
  const count = (wanted: Asked["outcome"]) => leases.filter(({ outcome }) => outcome === wanted).length;
  return Math.min(count("ok"), count("held")) >= enoughAnswers;
}

/** Makes the actions that agents compete for; returns their ids. */
export async function makeActions(url: string): Promise<string[]> {
  const answers = Array.from({ length: contendedActions }, async (_, at) => {
    const response = await fetch(`${url}/actions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: `contended ${at}` }),
    });
    const { action } = (await response.json()) as { action: { id: string } };
    return action.id;
  });
  return Promise.all(answers);
}
