import { BroadcastChannel } from "node:worker_threads";
import { type Kernel, kernelOver, type SharedMemory } from "./kernel.ts";
import { Nearest } from "./nearest.ts";
import { type Scan, scanForATurn } from "./scan.ts";

/*
 * Two threads for one scan: the one that holds a matrix shares its memory, and another takes blocks of rows, too, as
 * soon as it has nothing else to do. Neither waits for the other to begin: where the helper comes too late, or has
 * died, all blocks are taken already. They speak over a channel that both know by name.
 */

interface Asked {
  readonly kind: "scan";
  readonly id: number;
  readonly memory: SharedMemory;
  readonly scan: Scan;
}

/** What the helper found among so many rows, documents and scores by turns. */
interface Reply {
  readonly kind: "found";
  readonly id: number;
  readonly rows: number;
  readonly found: Float64Array;
}

const helpersLane = 1;
/** Who took rows has them scanned within some milliseconds, unless it has died. */
const patienceMs = 1_000;

/** Takes part in scans that others ask about on the channel, for as long as this thread lives. */
export function helpWithScans(channelName: string): void {
  const channel = openChannel(channelName, (message) => {
    if (message.kind === "scan") help(message, kernelOver(message.memory));
  });
  const help = (asked: Asked, kernel: Kernel): void => {
    const { id, scan } = asked;
    const nearest = new Nearest(scan.wanted, scan.highestFloor[0] ?? 0);
    const rows = scanForATurn(kernel, helpersLane, scan, nearest);
    if (rows === 0) return;
    channel.postMessage({ kind: "found", id, rows, found: nearest.pairs() } satisfies Reply);
    setImmediate(help, asked, kernel);
  };
}

interface Waiting {
  readonly id: number;
  readonly found: Float64Array[];
  rows: number;
  heard: () => void;
}

/** Asks the thread at the channel's other end to take part in scans, one at a time. */
export class ScanHelp {
  readonly #channel: BroadcastChannel;
  #waiting: Waiting = { id: 0, found: [], rows: 0, heard: () => undefined };

  constructor(channelName: string) {
    this.#channel = openChannel(channelName, (reply) => {
      const waiting = this.#waiting;
      if (reply.kind !== "found" || reply.id !== waiting.id) return;
      waiting.rows += reply.rows;
      waiting.found.push(reply.found);
      waiting.heard();
    });
  }

  /** Returns how to wait for what the helper found, once it is known how many rows it took. */
  ask(memory: SharedMemory, scan: Scan): { found(rows: number): Promise<readonly Float64Array[]> } {
    const waiting: Waiting = { id: this.#waiting.id + 1, found: [], rows: 0, heard: () => undefined };
    this.#waiting = waiting;
    this.#channel.postMessage({ kind: "scan", id: waiting.id, memory, scan } satisfies Asked);
    return {
      found: (rows) =>
        new Promise((resolve, reject) => {
          const giveUp = () => reject(new Error("the scan was not helped to its end"));
          // Where this thread was held up itself, the reply may be here by now, and is heard within a turn.
          const timer = setTimeout(() => setImmediate(giveUp), patienceMs);
          waiting.heard = () => {
            if (waiting.rows < rows) return;
            clearTimeout(timer);
            resolve(waiting.found);
          };
          waiting.heard();
        }),
    };
  }
}

function openChannel(name: string, heard: (message: Asked | Reply) => void): BroadcastChannel {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => heard((event as { data: Asked | Reply }).data);
  channel.unref();
  return channel;
}
