import type { Settings } from "../config/load.ts";
import type { Log } from "../ground.ts";
import { type ErrorCode, MemsvcError } from "../operation/errors.ts";
import { meshOff } from "../operation/mesh-off.ts";
import { bearerTokenMatches } from "./bearer-token.ts";
import { hostAllowed } from "./hosts.ts";
import { corsHeaders, judgeOrigin, type OwnPorts, preflightHeaders } from "./origins.ts";
import { errorResponse } from "./responses.ts";
import { routePath, routePrefixes } from "./route-prefixes.ts";

interface Verdict {
  /** The answer to a request that is refused; absent for one that may go on. */
  readonly refusal?: Response;
  /** Headers that every answer to this request carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The checks before any route, in the order of the contract: host, origin, mesh, token. `shellPaths` are pages without
 * stored data, which need no token, like livez.
 */
export function requestGuard(
  settings: Settings,
  log: Log,
  ports: () => OwnPorts,
  shellPaths: readonly string[] = [],
): (request: Request) => Verdict {
  const refused = (code: ErrorCode, message: string, headers: Verdict["headers"] = {}): Verdict => ({
    refusal: errorResponse(new MemsvcError(code, message), log),
    headers,
  });
  const prefixes = routePrefixes(settings);
  const openPaths = [...prefixes.map((prefix) => `${prefix}/livez`), ...shellPaths];
  const pagePaths = [...openPaths, ...prefixes.map((prefix) => `${prefix}/viewer`)];
  const meshPaths = prefixes.map((prefix) => `${prefix}/mesh/`);
  return (request) => {
    const { headers } = request;
    if (!hostAllowed(headers.get("host") ?? undefined, settings)) {
      return refused(
        "forbidden",
        "this Host is not served here; add it to MEMSVC_ALLOWED_HOSTS if it should be",
      );
    }
    const path = routePath(request);
    const reads = request.method === "GET" || request.method === "HEAD";
    const fetchSite =
      reads && pagePaths.includes(path) ? undefined : (headers.get("sec-fetch-site") ?? undefined);
    const origin = judgeOrigin({ origin: headers.get("origin") ?? undefined, fetchSite }, settings, ports());
    if (origin.kind === "refused") {
      return refused(
        "forbidden",
        "requests from this origin are not served; add it to MEMSVC_ALLOWED_ORIGINS if they should be",
      );
    }
    const cors = origin.kind === "allowed" ? corsHeaders(origin.origin) : {};
    if (request.method === "OPTIONS")
      return { refusal: new Response(null, { status: 204, headers: preflightHeaders }), headers: cors };
    if (settings.secret === undefined) {
      return meshPaths.some((start) => path.startsWith(start))
        ? { refusal: errorResponse(meshOff(), log), headers: cors }
        : { headers: cors };
    }
    const isOpen = reads && openPaths.includes(path);
    if (isOpen || bearerTokenMatches(headers.get("authorization") ?? undefined, settings.secret))
      return { headers: cors };
    return refused("unauthorized", "unauthorized", { ...cors, "WWW-Authenticate": "Bearer" });
  };
}
