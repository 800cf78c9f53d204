/** Whether what is sent to an address crosses a network unencrypted: http to another machine. */
export function crossesOpenNetwork(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/u.test(hostname);
  return protocol !== "https:" && !isLocal;
}
