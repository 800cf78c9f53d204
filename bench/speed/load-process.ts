/*
 * The load generator: a process of its own, so that it shares no event loop with the daemon. It is given one
 * order over IPC, sends requests over kept connections, and answers with the latencies.
 */
import { Agent, request } from "node:http";
import type { LoadOrder, LoadReport } from "./load.ts";

process.once("message", (order: LoadOrder) => {
  run(order).then((report) => {
    process.send?.(report);
    process.disconnect();
  });
});

async function run({ url, bodies, clients, durationMs, pauseMs }: LoadOrder): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const buffers = bodies.map((body) => Buffer.from(body));
  const latenciesMs: number[] = [];
  let failures = 0;
  let next = 0;
  const startedAt = performance.now();
  const client = async () => {
    while (performance.now() - startedAt < durationMs && next < buffers.length) {
      const body = buffers[next] ?? Buffer.alloc(0);
      next += 1;
      const sentAt = performance.now();
      const status = await post(url, body, agent);
      latenciesMs.push(performance.now() - sentAt);
      if (status >= 300) failures += 1;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return { latenciesMs, elapsedMs, failures };
}

function post(url: string, body: Buffer, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": body.byteLength };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
