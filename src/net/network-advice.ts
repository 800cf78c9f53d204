/*
 * Company networks often require a proxy, which may replace TLS certificates by its own. Node uses neither the system's
 * proxy nor its certificates unless told to. And to a machine whose clock is wrong, no certificate is valid.
 */

const unknownIssuer: ReadonlySet<string> = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const wrongTime: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
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

/** Advice for a failure with this code; undefined if the code does not suggest one. */
export function networkAdvice(
  code: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (code === undefined) return undefined;
  if (unknownIssuer.has(code))
    return "if your network's proxy has its own certificate, set NODE_EXTRA_CA_CERTS to its file";
  if (wrongTime.has(code))
    return "the server's certificate is not valid at this machine's time: check the clock";
  const proxy = ["HTTPS_PROXY", "https_proxy"].find((name) => env[name]?.trim());
  if (proxy === undefined || env.NODE_USE_ENV_PROXY === "1" || !noWay.has(code)) return undefined;
  return `to use ${proxy}, set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer)`;
}
