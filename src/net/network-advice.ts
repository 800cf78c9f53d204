/*
 * Companies have their networks reach the outside by a proxy, which may also put a certificate of its own in the place
 * of everybody's. Node takes neither from the system unless it is told to.
 */

const unknownIssuer: ReadonlySet<string> = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const noWay: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What helps in such a network against a failure with this code; undefined where nothing tells of one. */
export function networkAdvice(
  code: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (code === undefined) return undefined;
  if (unknownIssuer.has(code))
    return "if your network's proxy has its own certificate, set NODE_EXTRA_CA_CERTS to its file";
  const proxy = ["HTTPS_PROXY", "https_proxy"].find((name) => env[name]?.trim());
  if (proxy === undefined || env.NODE_USE_ENV_PROXY === "1" || !noWay.has(code)) return undefined;
  return `to use ${proxy}, set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer)`;
}
