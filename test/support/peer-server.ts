import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PeerServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Opens another service on loopback, which answers as the test's function does. */
export async function openPeerServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  wanted = 0,
): Promise<PeerServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
