import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/** How often the server looks for connections that became idle. */
const idleSweepMs = 50;
/** How long a connection that has sent nothing yet may still send its request. */
const firstRequestMs = 1_000;

/**
 * Watches the connections of a server that has begun to listen, with a backlog of that size. Returns what closes it:
 * it takes no new connections, gives running requests `graceMs` to end, then cuts the rest.
 */
export function gentleClose(server: Server, backlog: number): (graceMs: number) => Promise<void> {
  const unused = watchUnused(server);
  const announceClose = closeAnnouncer(server);
  return async (graceMs) => {
    // Tell clients first: what they send over a connection that is then cut is lost, and they cannot know whether it
    // was carried out.
    announceClose();
    await acceptBacklog(server, backlog);
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
  };
}

/** Connections without a request so far, which closeIdleConnections takes for busy. */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return unused;
}

/** Returns a function from whose call on every answer carries `Connection: close`. */
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
async function acceptBacklog(server: Server, backlog: number): Promise<void> {
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
