import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PeerServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Another service on loopback, which answers as a test likes. */
export async function openPeerServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
): Promise<PeerServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
