/** Whether requests to an address cross a network unencrypted: not https, and another machine. */
export function isUnencryptedRemote(url: string): boolean {
  return new URL(url).protocol !== "https:" && isRemoteAddress(url);
}

/** Whether an address is on another machine. */
export function isRemoteAddress(url: string): boolean {
  return !isLoopback(new URL(url).hostname);
}

/** Whether a host name means this machine (loopback). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
