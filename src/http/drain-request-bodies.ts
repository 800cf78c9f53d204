import type { IncomingMessage, Server } from "node:http";
import { Socket } from "node:net";

/**
 * A socket that is closed with bytes unread is reset, and who sends a whole body before looking for the answer, as simple
 * clients do, has a broken pipe in place of it. So a connection that ends with an answer is closed behind the request's
 * body: what nobody reads of it is let pass, for a while.
 */
export function drainRequestBodies(server: Server, longestMs: number): void {
  server.prependListener("request", (request) => {
    const { socket } = request;
    let isWaiting = false;
    // It is what Node:http closes a connection with, once the answer is written.
    socket.destroySoon = () => {
      if (request.complete || socket.destroyed) return closeNow(socket);
      if (isWaiting) return;
      isWaiting = true;
      waitForRest(request, longestMs);
    };
  });
}

function waitForRest(request: IncomingMessage, longestMs: number): void {
  const { socket } = request;
  const close = () => {
    clearTimeout(timer);
    closeNow(socket);
  };
  const timer = setTimeout(close, longestMs);
  request.once("end", close).once("close", close);
  // The client may look for the end of the connection as well as for the length of the answer.
  socket.end();
  // Whoever read the beginning holds the rest back until more of it is asked for.
  request.removeAllListeners("data").resume();
}

function closeNow(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
