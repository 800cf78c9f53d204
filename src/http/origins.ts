import type { Settings } from "../config/load.ts";
import { hostAllowed } from "./hosts.ts";

/** Ports under which the server's own pages are served; the viewer's is null when it is off. */
export interface OwnPorts {
  readonly api: number;
  readonly viewer: number | null;
}

type OriginVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "allowed"; readonly origin: string }
  | { readonly kind: "refused" };

interface RequestOrigin {
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/** Judges the origin of a browser's request. Programs send no Origin header and are judged by their token alone. */
export function judgeOrigin(
  { origin, fetchSite }: RequestOrigin,
  settings: Settings,
  ports: OwnPorts,
): OriginVerdict {
  if (origin === undefined) return fetchSite === "cross-site" ? { kind: "refused" } : { kind: "none" };
  const allowed = settings.allowedOrigins.includes(origin) || isOwn(origin, settings, ports);
  return allowed ? { kind: "allowed", origin } : { kind: "refused" };
}

function isOwn(origin: string, settings: Settings, ports: OwnPorts): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== "http:" || url.origin !== origin) return false;
  const port = url.port === "" ? 80 : Number(url.port);
  return (port === ports.api || port === ports.viewer) && hostAllowed(url.host, settings);
}

/** Headers of an answer to an allowed origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return { "Access-Control-Allow-Origin": origin, Vary: "Origin" };
}

/** Headers of the answer to a preflight. */
export const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, X-Memsvc-Source, X-Agentmemory-Source, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Accept",
  "Access-Control-Max-Age": "600",
} as const;
