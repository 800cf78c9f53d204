import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import { answerBody } from "../net/answer-body.ts";
import { callSignal } from "../net/call-signal.ts";
import { withBrackets } from "../net/host-brackets.ts";
import { MemsvcError } from "../operation/errors.ts";
import { hourMs } from "../time/durations.ts";
import { drainRequestBodies } from "./drain-request-bodies.ts";
import { jsonResponse } from "./responses.ts";
import { defaultPrefix } from "./route-prefixes.ts";

/** How many connections the system makes for us ahead. */
const mostWaiting = 1_024;
const headerTimeoutMs = 30_000;
const idleTimeoutMs = 75_000;
/** How long a request may take to arrive: an import is read as fast as it is checked. */
const requestTimeoutMs = hourMs;
/** How long a connection that ends with its answer is kept for the rest of a body that nobody reads. */
const restOfBodyMs = 5_000;
/** How long who holds the port is given to say what it is, on a busy machine too, and how much of that is read. */
const probeTimeoutMs = 4_000;
const longestProbeBytes = 65_536;
/** While the server closes: how often connections whose request has ended are looked for. */
const idleSweepMs = 50;
/** While the server closes: how long a connection that has sent nothing yet may still bring its request. */
const firstRequestMs = 1_000;

export interface Listener {
  readonly port: number;
  /** Takes no new connections, gives running requests the time, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Listens on a host and port, and with the default host on IPv6 loopback too where the machine has it. Error: port_taken. */
export async function listen(
  fetch: Fetch,
  host: string,
  port: number,
  log: (message: string) => void,
): Promise<Listener> {
  const first = await open(fetch, host, port);
  const servers = [first];
  const bound = portOf(first.server);
  if (host === "127.0.0.1") {
    try {
      servers.push(await open(fetch, "::1", bound));
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
  /** Connections that have not brought a request; the server itself takes them for busy. */
  readonly unused: ReadonlySet<Socket>;
  /** From now on each answer has its client send nothing more over the connection. */
  readonly part: () => void;
}

async function open(fetch: Fetch, host: string, port: number): Promise<OpenServer> {
  const server = createServer(
    {
      headersTimeout: headerTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      noDelay: true,
    },
    getRequestListener(fetch, { overrideGlobalObjects: true, errorHandler: unheard }),
  );
  // A client may end its side once it has asked. Node:http keeps to this since its beginnings, and has no type for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  drainRequestBodies(server, restOfBodyMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, mostWaiting, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    throw await startError(error, host, port);
  });
  return { server, unused: watchUnused(server), part: partingOf(server) };
}

/** Nobody is asked what no address can be made of: a Host that is none, or none at all. */
function unheard(error: unknown): Response {
  return error instanceof RequestError
    ? jsonResponse({ error: "the Host header or the path of the request is no address" }, 400)
    : new Response(null, { status: 500 });
}

/** An address that is not this machine's, a name that nobody knows, a family of addresses that is off, a port of the system's. */
const refusals: ReadonlySet<string> = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

async function startError(error: NodeJS.ErrnoException, host: string, port: number): Promise<Error> {
  if (error.code === "EADDRINUSE") {
    const by = (await isMemsvc(host, port)) ? "the memsvc daemon of another home" : "another program";
    return new MemsvcError("port_taken", `port ${port} on ${host} is taken by ${by}`, {
      hint: "choose another with --port or MEMSVC_PORT; --port 0 takes a free one",
      cause: error,
    });
  }
  // As a sandbox does.
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

/** Whether who listens there answers as memsvc does; a home has one daemon, so it is that of another. */
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
    return typeof body === "object" && body !== null && "service" in body && "viewerPort" in body;
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

function partingOf(server: Server): () => void {
  const running = new Set<ServerResponse>();
  let isParting = false;
  // Before the request is handled, which may write the answer at once.
  server.prependListener("request", (_, response) => {
    if (isParting) response.shouldKeepAlive = false;
    running.add(response);
    response.once("close", () => running.delete(response));
  });
  return () => {
    isParting = true;
    for (const response of running) response.shouldKeepAlive = false;
  };
}

/**
 * Takes up the connections that the system has made for us already: closing the socket would cut them, and whatever
 * they ask for, unheard. One is taken up with each turn of the loop.
 */
async function takeWaiting(server: Server): Promise<void> {
  let quietTurns = 0;
  const heard = () => {
    quietTurns = 0;
  };
  server.on("connection", heard);
  // In the turn in which we are told to close, the socket may have been looked at already. However many still come, it
  // ends with as many turns as connections can have waited; not with a time, which a busy machine may take for one turn.
  for (let turns = 0; quietTurns < 2 && turns < mostWaiting; turns += 1, quietTurns += 1) await turn();
  server.off("connection", heard);
}

async function closeGently({ server, unused, part }: OpenServer, graceMs: number): Promise<void> {
  // What a client sends over a connection that we cut is lost, and it cannot know whether it was heard.
  part();
  await takeWaiting(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that is kept alive becomes idle only now, when its running request ends.
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
