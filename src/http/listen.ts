import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import { isObject } from "../json/is-object.ts";
import { answerBody } from "../net/answer-body.ts";
import { callSignal } from "../net/call-signal.ts";
import { withBrackets } from "../net/host-brackets.ts";
import { MemsvcError } from "../operation/errors.ts";
import { hourMs } from "../time/durations.ts";
import { drainRequestBodies } from "./drain-request-bodies.ts";
import { explainUnreadable } from "./explain-unreadable.ts";
import { jsonResponse } from "./responses.ts";
import { defaultPrefix } from "./route-prefixes.ts";

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
/**
 * How long the process that holds the port may take to identify itself (busy machines are slow), and how much of its
 * answer is read.
 */
const probeTimeoutMs = 4_000;
const longestProbeBytes = 65_536;
/** While the server closes: how often it looks for connections that became idle. */
const idleSweepMs = 50;
/** While the server closes: how long a connection that has sent nothing yet may still send its request. */
const firstRequestMs = 1_000;

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
      await Promise.all(servers.map((one) => closeGently(one, graceMs)));
    },
  };
}

interface OpenServer {
  readonly server: Server;
  /** Connections without a request so far, which closeIdleConnections takes for busy. */
  readonly unused: ReadonlySet<Socket>;
  /** From now on every answer carries `Connection: close`. */
  readonly announceClose: () => void;
}

async function open(fetch: Fetch, host: string, port: number, isNeeded: boolean): Promise<OpenServer> {
  const server = createServer(
    {
      maxHeaderSize: longestHeaderBytes,
      headersTimeout: headerTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      noDelay: true,
      // The answer of Node:http has no words.
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
  return { server, unused: watchUnused(server), announceClose: closeAnnouncer(server) };
}

/**
 * The answer when the adapter cannot build a Request: a Host header or path that no URL can be made of, or none at all.
 */
function requestErrorResponse(error: unknown): Response {
  return error instanceof RequestError
    ? jsonResponse({ error: "the Host header or the path of the request is no address" }, 400)
    : new Response(null, { status: 500 });
}

/** Why an address cannot be listened on: not this machine's, unknown name, disabled address family, privileged port. */
const refusals: ReadonlySet<string> = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

async function startError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  isNeeded: boolean,
): Promise<Error> {
  if (error.code === "EADDRINUSE") {
    const by =
      isNeeded && (await isMemsvc(host, port)) ? "the memsvc daemon of another home" : "another program";
    return new MemsvcError("port_taken", `port ${port} on ${host} is taken by ${by}`, {
      hint: "choose another with --port or MEMSVC_PORT; --port 0 takes a free one",
      cause: error,
    });
  }
  // Sandboxes refuse with EPERM.
  if (error.code === "EPERM") {
    return new MemsvcError("port_taken", `this process may not listen on ${host}:${port} (EPERM)`, {
      hint: "start it outside of the sandbox: memsvc daemon start",
      cause: error,
    });
  }
  if (refusals.has(error.code ?? "")) {
    return new MemsvcError("port_taken", `cannot listen on ${host}:${port} (${error.code})`, {
      hint: "choose another address with --host and --port",
      cause: error,
    });
  }
  return error;
}

/**
 * Whether the process that holds the port answers like memsvc. It is then the daemon of another home, as a home has
 * only one.
 */
async function isMemsvc(host: string, port: number): Promise<boolean> {
  const { signal, release } = callSignal(probeTimeoutMs);
  try {
    const url = `http://${withBrackets(host)}:${port}${defaultPrefix}/livez`;
    const answer = await fetch(url, { signal, redirect: "error" });
    const whole = answerBody(answer, {
      maxBytes: longestProbeBytes,
      tooLong: () => new Error("too long"),
      signal,
    });
    const body: unknown = await new Response(whole).json();
    return isObject(body) && "service" in body && "viewerPort" in body;
  } catch {
    return false;
  } finally {
    release();
  }
}

function portOf(server: Server): number {
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  return (server.address() as AddressInfo).port;
}

function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return unused;
}

function closeAnnouncer(server: Server): () => void {
  const running = new Set<ServerResponse>();
  let isClosing = false;
  // Prepended: the handler itself may write the answer at once.
  server.prependListener("request", (_, response) => {
    if (isClosing) response.shouldKeepAlive = false;
    running.add(response);
    response.once("close", () => running.delete(response));
  });
  return () => {
    isClosing = true;
    for (const response of running) response.shouldKeepAlive = false;
  };
}

/**
 * Accepts the connections that wait in the operating system's backlog: closing the socket would cut them without an
 * answer. One is accepted per turn of the event loop.
 */
async function acceptBacklog(server: Server): Promise<void> {
  let quietTurns = 0;
  const accepted = () => {
    quietTurns = 0;
  };
  server.on("connection", accepted);
  // Two quiet turns, because in the current one the socket may have been polled already. Bounded by the size of the
  // backlog and not by time, because on a busy machine a single turn may take all of it.
  for (let turns = 0; quietTurns < 2 && turns < backlog; turns += 1, quietTurns += 1) await turn();
  server.off("connection", accepted);
}

async function closeGently({ server, unused, announceClose }: OpenServer, graceMs: number): Promise<void> {
  // Tell clients first: what they send over a connection that is then cut is lost, and they cannot know whether it was
  // carried out.
  announceClose();
  await acceptBacklog(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A keep-alive connection becomes idle only when its running request ends.
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  const drop = setTimeout(
    () => {
      for (const socket of unused) socket.destroy();
    },
    Math.min(firstRequestMs, graceMs),
  );
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(drop);
  clearTimeout(cut);
}
