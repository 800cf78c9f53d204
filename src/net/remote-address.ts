/** Whether what is sent to an address crosses a network unencrypted: http to another machine. */
export function isUnencryptedRemote(url: string): boolean {
  return new URL(url).protocol !== "https:" && isRemoteAddress(url);
}

/** Whether an address is one of another machine. */
export function isRemoteAddress(url: string): boolean {
  return !isLoopback(new URL(url).hostname);
}

/** A host that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
