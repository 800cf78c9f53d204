/*
 * An IPv6 address stands in brackets wherever a port may follow it, and without them where a system is given it.
 */

export function withBrackets(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/u, "$1");
}
