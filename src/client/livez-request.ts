import type { WireRequest } from "./http-call.ts";

/** Asks the daemon at an address (with its prefix) whether it is alive, which it answers whatever else is going on. */
export function livezRequest(url: string): WireRequest {
  return { method: "GET", url: `${url}/livez`, headers: {}, body: undefined };
}
