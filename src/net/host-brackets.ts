/* An IPv6 address is in brackets where a port may follow, and without brackets in calls of the operating system. */

export function withBrackets(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/u, "$1");
}
