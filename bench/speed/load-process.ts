/*
 * The load generator, in a process of its own, so that the benchmark's event loop does not distort latencies. It gets
 * one order over IPC, sends the requests over keep-alive connections, and reports the latencies.
 */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { LoadOrder, LoadReport } from "./load.ts";

process.once("message", (order: LoadOrder) => {
  run(order).then((report) => {
    // Disconnects only once the report was sent; otherwise a long one would be lost.
    process.send?.(report, () => process.disconnect());
  });
});

async function run({ url, bodies, clients, durationMs, pauseMs }: LoadOrder): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const requests = bodies.map((body) => (typeof body === "string" ? { path: "", body } : body));
  const latenciesMs: number[] = [];
  let failures = 0;
  let next = 0;
  const startedAt = performance.now();
  const client = async () => {
    // Clients that pause start at different times; otherwise their first requests would all come at once.
    if (pauseMs > 0) await pause(2 * pauseMs * Math.random());
    while (performance.now() - startedAt < durationMs && next < requests.length) {
      const sent = requests[next];
      next += 1;
      if (sent === undefined) break;
      const sentAt = performance.now();
      const status = await statusOf(`${url}${sent.path}`, sent.body, agent);
      latenciesMs.push(performance.now() - sentAt);
      if (status >= 300) failures += 1;
      // A random pause, so that clients do not stay in step and send all at once.
      if (pauseMs > 0) await pause(pauseMs * (0.5 + Math.random()));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return { latenciesMs, elapsedMs, failures };
}

function statusOf(url: string, body: string | undefined, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body ?? "");
    const headers = { "Content-Type": "application/json", "Content-Length": bytes.byteLength };
    const options = body === undefined ? { agent } : { method: "POST", agent, headers };
    const sent = request(url, options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}
