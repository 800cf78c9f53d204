import { MemsvcError } from "../../operation/errors.ts";

interface Daemon {
  /** Address of the API, with its prefix. */
  readonly api: string;
  readonly viewerPort: number | null;
  readonly hasSecret: boolean;
}

/**
 * Where a browser finds the viewer: on its own port, or below the API if that port is off, or if a proxy serves only
 * the API's address. Error: unavailable if only the API's address is left and a secret protects it.
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
