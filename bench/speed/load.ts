import { fork } from "node:child_process";
import { percentile } from "../percentile.ts";

/** A request below an order's address: with a body it is posted. */
export interface LoadRequest {
  readonly path: string;
  readonly body?: string;
}

export interface LoadOrder {
  readonly url: string;
  /** JSON texts to post to the address, or requests below it, each sent once. */
  readonly bodies: readonly (string | LoadRequest)[];
  /** Requests that are under way at once. */
  readonly clients: number;
  /** The load ends then, or when the bodies are used up. */
  readonly durationMs: number;
  /** Between an answer and the same client's next request: half of it to one and a half times; before the first, up to twice. */
  readonly pauseMs: number;
}

export interface LoadReport {
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  /** Answers that were no success. */
  readonly failures: number;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

/** Puts a load on a daemon from another process. Throws when a request fails. */
export async function load(order: LoadOrder): Promise<Latencies> {
  const child = fork(new URL("./load-process.ts", import.meta.url), { execArgv: ["--import", "tsx"] });
  const report = await new Promise<LoadReport>((resolve, reject) => {
    child.once("message", (message: LoadReport) => resolve(message));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the load generator ended with ${code}`)));
    child.send(order);
  });
  if (report.failures > 0) throw new Error(`${report.failures} requests to ${order.url} failed`);
  return {
    p50Ms: percentile(report.latenciesMs, 0.5),
    p99Ms: percentile(report.latenciesMs, 0.99),
    perSecond: report.latenciesMs.length / (report.elapsedMs / 1_000),
  };
}
