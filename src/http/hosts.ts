import type { Settings } from "../config/load.ts";
import { withoutBrackets } from "../net/host-brackets.ts";

/**
 * Whether a request's Host header names this server. Guards against DNS rebinding: a page that points its own name at
 * loopback sends that name.
 */
export function hostAllowed(header: string | undefined, settings: Settings): boolean {
  if (header === undefined) return false;
  const name = hostName(header);
  if (name === undefined) return false;
  if (name === "localhost" || name === "127.0.0.1" || name === "[::1]" || name.endsWith(".localhost"))
    return true;
  return [settings.host, ...settings.allowedHosts].some((allowed) => asInHeader(allowed) === name);
}

/** A host as a Host header names it: an IPv6 address in its shortest form and in brackets. */
function asInHeader(host: string): string {
  const url = `http://[${host}]/`;
  return host.includes(":") && URL.canParse(url) ? new URL(url).hostname : host;
}

/** The name in a Host header, without its port. */
function hostName(header: string): string | undefined {
  const name = /^(?<name>\[[0-9a-f:.]+\]|[^:/\s[\]]+)(?::\d{1,5})?$/iu.exec(header.trim())?.groups?.name;
  return name === undefined ? undefined : asInHeader(withoutBrackets(name).toLowerCase());
}
