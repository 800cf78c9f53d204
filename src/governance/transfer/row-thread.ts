import { parentPort, workerData } from "node:worker_threads";
import { sentError } from "../../operation/sent-error.ts";
import { type KeptBody, rowBatches } from "./row-batches.ts";
import type { RowReply } from "./threaded-row-reading.ts";
import { Warnings } from "./warnings.ts";

/* The worker for threaded-row-reading.ts: one thread for one body. */

/** How many batches the thread may be ahead of the storing. */
const mostAhead = 2;

const port = parentPort;
if (port === null) throw new Error("the thread that reads an import must be started as a worker");
const reply = (given: RowReply) => port.postMessage(given);

let ahead = 0;
let goOn = (): void => undefined;
port.on("message", () => {
  ahead -= 1;
  goOn();
});

const read = async (body: KeptBody): Promise<void> => {
  const warnings = new Warnings();
  for (const batch of rowBatches(body, warnings)) {
    reply({ batch });
    ahead += 1;
    while (ahead >= mostAhead) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
  }
  reply({ warnings: warnings.counts() });
};

read(workerData as KeptBody)
  .catch((error: unknown) => reply({ failure: sentError(error) }))
  .finally(() => port.close());
