import type { Settings } from "../config/load.ts";
import type { Log } from "../ground.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { requestGuard } from "./guard.ts";
import { type Fetch, type Listener, listen } from "./listen.ts";
import type { OwnPorts } from "./origins.ts";
import { errorResponse } from "./responses.ts";
import { routePath } from "./route-prefixes.ts";
import { viewerPage } from "./viewer-page.ts";

const shellPath = "/";
/** The viewer's default port is the API's plus this. */
const portDistance = 2;
/** How many further ports are tried when the wanted one is taken. */
const furtherPorts = 10;
const lastPort = 65_535;

interface ViewerHandlerOptions {
  readonly api: Fetch;
  readonly settings: Settings;
  readonly log: Log;
  readonly ports: () => OwnPorts;
}

/**
 * Serves the viewer's own port: the page at `/`, and the API. The page holds no stored data, so it needs no token
 * (which a browser could not send when opening an address); its API calls do.
 */
export function viewerHandler({ api, settings, log, ports }: ViewerHandlerOptions): Fetch {
  const guard = requestGuard(settings, log, ports, [shellPath]);
  return async (request) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (!isReading || routePath(request) !== shellPath) return api(request);
    const { refusal, headers } = guard(request);
    const answer = refusal ?? (await viewerPage().catch((error: unknown) => errorResponse(error, log)));
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    return request.method === "HEAD" ? new Response(null, answer) : answer;
  };
}

/**
 * Listens for the viewer, on the next free port if the wanted one is taken. Undefined when it is off or no port was
 * free.
 */
export async function listenForViewer(
  fetch: Fetch,
  settings: Settings,
  apiPort: number,
  log: Log,
): Promise<Listener | undefined> {
  if (!settings.viewer) return undefined;
  const wanted = settings.viewerPort ?? apiPort + portDistance;
  const last = wanted === 0 ? 0 : Math.min(wanted + furtherPorts, lastPort);
  for (let port = wanted; port <= last; port += 1) {
    try {
      const told = (message: string) => log("info", message);
      return await listen(fetch, settings.host, port, told, { isNeeded: false });
    } catch (error) {
      if (!isMemsvcError(error, "port_taken")) throw error;
    }
  }
  const why = wanted > lastPort ? `${lastPort} is the last there is` : `${wanted} to ${last} are taken`;
  log("warn", `the viewer has no port: ${why}; choose another with MEMSVC_VIEWER_PORT`);
  return undefined;
}
