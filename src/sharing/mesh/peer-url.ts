import { MemsvcError } from "../../operation/errors.ts";

const usualPrefix = "/memsvc";

/** An address of a peer as it is kept. Error: invalid_input for what is no plain http or https address. */
export function peerUrl(given: string): URL {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "")
    throw unfit("must be an address that begins with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw unfit("must hold no credentials: peers know each other by MEMSVC_SECRET");
  if (/[?#]/u.test(given)) throw unfit("must have neither a query nor a fragment");
  return url;
}

/** The address as text, without slashes at its end. */
export function plainUrl(url: URL): string {
  return url.href.replace(/\/+$/u, "");
}

/** What the routes of a peer stand below. */
export function peerBase(plain: string): string {
  return new URL(plain).pathname === "/" ? plain + usualPrefix : plain;
}

/** Every address, as it is kept, that leads to the same peer as this one. */
export function sameAddresses(plain: string): string[] {
  const base = peerBase(plain);
  return new URL(base).pathname === usualPrefix ? [base, base.slice(0, -usualPrefix.length)] : [base];
}

function unfit(message: string): MemsvcError {
  return new MemsvcError("invalid_input", `url ${message}`, { issues: [{ path: "url", message }] });
}
