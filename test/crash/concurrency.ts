import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../cli/program-process.ts";
import { serveWell, storeOf } from "./daemon.ts";
import { missingOverHttp } from "./found-over-http.ts";
import { writeOverHttp } from "./http-load.ts";
import type { Ledger } from "./ledger.ts";
import { writeOffline } from "./offline-load.ts";
import { storeFaults } from "./store-faults.ts";
import { seededRandom, spelled, uniqueWords } from "./words.ts";

const clients = 3;
const offlineWriters = 3;
const eventsPerBatch = 40;

/** Lets a daemon and three other processes write to one home. Returns what went wrong: refusals, losses, doubles. */
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
  await sleep(seconds * 1_000);
  isOver = true;
  await Promise.all([...overHttp, ...offline.map(({ done }) => done)]);
  const faults = ledger.refusals.splice(0);
  try {
    faults.push(...(await missingOverHttp(daemon.url, ledger)), ...storeFaults(storeOf(sandbox), ledger));
  } finally {
    await daemon.end("SIGTERM");
  }
  return faults;
}
