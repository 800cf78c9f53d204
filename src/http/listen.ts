import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { hourMs } from "../time/durations.ts";
import { drainRequestBodies } from "./drain-request-bodies.ts";
import { explainUnreadable } from "./explain-unreadable.ts";
import { gentleClose } from "./gentle-close.ts";
import { jsonResponse } from "./responses.ts";
import { startError } from "./start-error.ts";

/** Backlog: how many connections the operating system accepts ahead of us. */
const backlog = 1_024;
/**
 * Browsers send a machine's cookies to all of its ports, so other programs on localhost make requests longer than
 * node:http takes by default.
 */
const longestHeaderBytes = 65_536;
const headerTimeoutMs = 30_000;
const idleTimeoutMs = 75_000;
/** How long a request may take to arrive. Long, because an import is read only as fast as it is checked. */
const requestTimeoutMs = hourMs;
/** How long a connection that closes with its answer stays open for the rest of an unread request body. */
const restOfBodyMs = 5_000;

export interface Listener {
  readonly port: number;
  /** Takes no new connections, gives running requests `graceMs` to end, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Listens on a host and port; with the default host also on IPv6 loopback, if the machine has it. `isNeeded`: the
 * caller cannot do without the port, so the error says who holds it, which takes seconds if that program does not
 * answer. Error: port_taken.
 */
export async function listen(
  fetch: Fetch,
  host: string,
  port: number,
  log: (message: string) => void,
  { isNeeded = true } = {},
): Promise<Listener> {
  const first = await open(fetch, host, port, isNeeded);
  const servers = [first];
  const bound = portOf(first.server);
  if (host === "127.0.0.1") {
    try {
      servers.push(await open(fetch, "::1", bound, false));
    } catch (error) {
      log(`not listening on [::1]:${bound}: ${String(error)}`);
    }
  }
  return {
    port: bound,
    close: async (graceMs) => {
      await Promise.all(servers.map((one) => one.close(graceMs)));
    },
  };
}

interface OpenServer {
  readonly server: Server;
  /** Closes it gently, as a listener closes. */
  readonly close: (graceMs: number) => Promise<void>;
}

async function open(fetch: Fetch, host: string, port: number, isNeeded: boolean): Promise<OpenServer> {
  const server = createServer(
    {
      maxHeaderSize: longestHeaderBytes,
      headersTimeout: headerTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      noDelay: true,
      // The answer of node:http has no words.
      requireHostHeader: false,
    },
    getRequestListener(fetch, { overrideGlobalObjects: true, errorHandler: requestErrorResponse }),
  );
  // A client may half-close its side after sending its request. node:http has always had this option, but its types
  // lack it.
  Object.assign(server, { httpAllowHalfOpen: true });
  drainRequestBodies(server, restOfBodyMs);
  explainUnreadable(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, backlog, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    throw await startError(error, host, port, isNeeded);
  });
  return { server, close: gentleClose(server, backlog) };
}

/**
 * The answer when the adapter cannot build a Request: a Host header or path that no URL can be made of, or none at all.
 */
function requestErrorResponse(error: unknown): Response {
  return error instanceof RequestError
    ? jsonResponse({ error: "the Host header or the path of the request is no address" }, 400)
    : new Response(null, { status: 500 });
}

function portOf(server: Server): number {
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  return (server.address() as AddressInfo).port;
}
