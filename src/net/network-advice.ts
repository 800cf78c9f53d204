/*
 * Company networks often require a proxy, which may replace TLS certificates by its own. Node uses neither the system's
 * proxy nor its certificates unless told to.
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

/** Advice for a failure with this code in such a network; undefined if the code does not suggest one. */
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
