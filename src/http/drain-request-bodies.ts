import type { IncomingMessage, Server } from "node:http";
import { Socket } from "node:net";

/**
 * Keeps a connection that is to be closed after an answer open until the rest of the request's body was read, for
 * `longestMs` at most. A socket closed with unread bytes is reset, and simple clients, which send the whole body before
 * they read the answer, would see a broken pipe instead of the answer. On a connection that stays open, the rest of the
 * body is discarded as well: the next request comes behind it.
 */
export function drainRequestBodies(server: Server, longestMs: number): void {
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    response.once("finish", () => {
      if (!request.readableEnded) discardRest(request);
    });
    let isWaiting = false;
    // node:http calls destroySoon to close a connection once the answer is written.
    socket.destroySoon = () => {
      if (request.complete || socket.destroyed) return closeNow(socket);
      if (isWaiting) return;
      isWaiting = true;
      waitForRest(request, longestMs, response.shouldKeepAlive);
    };
  });
}

/**
 * `goesOn`: the answer told the client that its connection stays open. @hono/node-server closes it all the same if the
 * body comes slowly, so here it is only closed if the body does not end in time.
 */
function waitForRest(request: IncomingMessage, longestMs: number, goesOn: boolean): void {
  const { socket } = request;
  const timer = setTimeout(() => closeNow(socket), longestMs);
  const arrived = () => {
    clearTimeout(timer);
    if (!goesOn) closeNow(socket);
  };
  request.once("end", arrived).once("close", arrived);
  // Some clients recognise the end of the answer by the end of the connection.
  if (!goesOn) socket.end();
  discardRest(request);
}

/** A reader that stopped early has paused the stream, and would keep back what still comes. */
function discardRest(request: IncomingMessage): void {
  request.removeAllListeners("data").resume();
}

function closeNow(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
