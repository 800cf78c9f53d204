import { fork } from "node:child_process";
import { percentile } from "../percentile.ts";

/** A request; `path` is relative to the order's URL. With a body it is a POST, else a GET. */
export interface LoadRequest {
  readonly path: string;
  readonly body?: string;
}

export interface LoadOrder {
  readonly url: string;
  /** JSON texts to POST to `url`, or requests below it; each is sent once. */
  readonly bodies: readonly (string | LoadRequest)[];
  /** Number of concurrent requests. */
  readonly clients: number;
  /** The load ends after this time, or earlier when all bodies were sent. */
  readonly durationMs: number;
  /**
   * Mean pause between an answer and the same client's next request: 0.5 to 1.5 times this; before its first request,
   * up to twice this.
   */
  readonly pauseMs: number;
}

export interface LoadReport {
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  /** Number of requests that did not succeed. */
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
