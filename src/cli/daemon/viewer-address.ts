import { MemsvcError } from "../../operation/errors.ts";

interface Daemon {
  /** Address of its API, with the prefix. */
  readonly api: string;
  readonly viewerPort: number | null;
  readonly hasSecret: boolean;
}

/**
 * Where a browser finds the viewer: at its own port, or below the API where that port is off or behind a proxy,
 * which serves the API's address alone. Error: unavailable, where the secret closes the only way.
 */
export function viewerAddress({ api, viewerPort, hasSecret }: Daemon): string {
  const { protocol, hostname } = new URL(api);
  if (viewerPort !== null && protocol === "http:") return `http://${hostname}:${viewerPort}/`;
  if (!hasSecret) return `${api}/viewer`;
  throw new MemsvcError(
    "unavailable",
    "a browser cannot send the secret with a URL, and the viewer's own port, which needs no secret, cannot be reached",
    {
      hint:
        viewerPort === null
          ? "start the daemon with the viewer's port: MEMSVC_VIEWER=true, or another MEMSVC_VIEWER_PORT where it is taken"
          : `have the proxy forward an address to the viewer's port, ${viewerPort}`,
    },
  );
}
