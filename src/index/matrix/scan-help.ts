import { BroadcastChannel } from "node:worker_threads";
import { type Kernel, kernelOver, type SharedMemory } from "./kernel.ts";
import { Nearest } from "./nearest.ts";
import { type Scan, scanForATurn } from "./scan.ts";

/*
 * Lets a second thread help with a scan. The thread that holds a matrix shares its memory, and the helper also takes
 * blocks of rows as soon as it has nothing else to do. Neither waits for the other to begin: if the helper is late or
 * has died, the asking thread takes all blocks. They communicate over a channel that both know by name.
 */

interface Asked {
  readonly kind: "scan";
  readonly id: number;
  readonly memory: SharedMemory;
  readonly scan: Scan;
}

/** The helper's result for a number of rows: documents and scores, alternating. */
interface Reply {
  readonly kind: "found";
  readonly id: number;
  readonly rows: number;
  readonly found: Float64Array;
}

const helpersLane = 1;
/** A helper that has taken rows scans them within some milliseconds, unless it dies. */
const patienceMs = 1_000;

/** Helps with the scans that are announced on the channel, as long as this thread lives. */
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

/** Asks the helper at the other end of a channel to take part in scans, one scan at a time. */
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

  /**
   * Announces a scan. `found(rows)` waits for the helper's results for the `rows` rows that it took; rejects if late.
   */
  ask(memory: SharedMemory, scan: Scan): { found(rows: number): Promise<readonly Float64Array[]> } {
    const waiting: Waiting = { id: this.#waiting.id + 1, found: [], rows: 0, heard: () => undefined };
    this.#waiting = waiting;
    this.#channel.postMessage({ kind: "scan", id: waiting.id, memory, scan } satisfies Asked);
    return {
      found: (rows) =>
        new Promise((resolve, reject) => {
          const giveUp = () => reject(new Error("the scan was not helped to its end"));
          // If this thread itself was blocked, the reply may have arrived: the event loop gets a turn to deliver it.
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
