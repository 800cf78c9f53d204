import { withoutEndSlashes } from "../../net/without-end-slashes.ts";
import { MemsvcError } from "../../operation/errors.ts";

const usualPrefix = "/memsvc";

/** Parses the address of a peer. Error: invalid_input unless it is a plain http or https address. */
export function peerUrl(given: string): URL {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "")
    throw unfit("must be an address that begins with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw unfit("must hold no credentials: peers know each other by MEMSVC_SECRET");
  if (/[?#]/u.test(given)) throw unfit("must have neither a query nor a fragment");
  return url;
}

/** The address in the form that is stored: without slashes at its end. */
export function plainUrl(url: URL): string {
  return withoutEndSlashes(url.href);
}

/** The address below which the peer's routes are: `/memsvc` is added to an address without a path. */
export function peerBase(plain: string): string {
  return new URL(plain).pathname === "/" ? plain + usualPrefix : plain;
}

/** Every stored form of an address that reaches the same peer. */
export function sameAddresses(plain: string): string[] {
  const base = peerBase(plain);
  return new URL(base).pathname === usualPrefix ? [base, base.slice(0, -usualPrefix.length)] : [base];
}

function unfit(message: string): MemsvcError {
  return new MemsvcError("invalid_input", `url ${message}`, { issues: [{ path: "url", message }] });
}
