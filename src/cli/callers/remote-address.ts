/** Whether what is sent to an address crosses a network unencrypted: http to another machine. */
export function isUnencryptedRemote(url: string): boolean {
  return new URL(url).protocol !== "https:" && isRemoteAddress(url);
}

/** Whether an address is one of another machine. */
export function isRemoteAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname !== "localhost" && hostname !== "[::1]" && !/^127\.\d+\.\d+\.\d+$/u.test(hostname);
}
