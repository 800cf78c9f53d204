import { Agent, request } from "node:http";
import type { Transport } from "./http-call.ts";

export interface NodeTransport {
  readonly send: Transport;
  /** Drops the kept connections, which would keep the process alive. */
  close(): void;
}

/** Sends over node:http, which starts 20 ms sooner than fetch. Connections are kept for the next request. */
export function nodeTransport(timeoutMs: number): NodeTransport {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return { send: sendOver(agent, timeoutMs), close: () => agent.destroy() };
}

function sendOver(agent: Agent, timeoutMs: number): Transport {
  return async ({ method, url, headers, body }) => {
    const secure = url.startsWith("https:");
    // Most daemons are on this machine, and loading TLS takes longer than asking them.
    const send = secure ? (await import("node:https")).request : request;
    return new Promise((resolve, reject) => {
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const sent = send(
        url,
        {
          method,
          headers: { ...headers, ...(bytes === undefined ? {} : { "Content-Length": bytes.byteLength }) },
          timeout: timeoutMs,
          ...(secure ? {} : { agent }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
          );
        },
      );
      sent.on("timeout", () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      sent.on("error", reject);
      sent.end(bytes);
    });
  };
}
