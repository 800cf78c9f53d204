import { isIP, isIPv6 } from "node:net";
import { isAbsolute, sep } from "node:path";
import { headerText, headerTextRule } from "../net/header-text.ts";
import { withoutBrackets } from "../net/host-brackets.ts";
import { expandHome } from "../paths/expand-home.ts";
import type { ValueFormat } from "./setting.ts";

export interface FormatRule {
  readonly accepts: (value: string) => boolean;
  /** Completes the sentence "… must be". */
  readonly wanted: string;
  /** Normalises values that can be written in several ways. */
  readonly spelled?: (value: string) => string;
}

/** The URL schemes that the database client accepts. */
const databaseSchemes = ["libsql:", "https:", "http:"];
const hostPattern = /^[^\s/@?#\\,:[\]]+$/;
const cidrPattern = /^([0-9A-Fa-f:.]+)\/(\d{1,3})$/;

export const valueFormats: Readonly<Record<ValueFormat, FormatRule>> = {
  "http-url": {
    accepts: (value) => hasScheme(value, ["http:", "https:"]),
    wanted: "an address that begins with http:// or https://",
  },
  "fetched-url": {
    accepts: (value) => hasScheme(value, ["http:", "https:"]) && hasNoUser(value) && endsWithPath(value),
    wanted: "an address that begins with http:// or https://, without a user name and without ? and #",
  },
  "database-url": {
    accepts: (value) => hasScheme(value, databaseSchemes) && hasNoUser(value),
    wanted: "an address that begins with libsql://, https:// or http://, without a user name",
  },
  origin: {
    accepts: isOrigin,
    wanted:
      "an origin as browsers send it, such as https://example.org:8443 (lower case, no path, no default port)",
  },
  host: {
    accepts: isHost,
    wanted: "a host name or address, without scheme, port and path",
    spelled: (value) => withoutBrackets(value).toLowerCase(),
  },
  "header-text": {
    accepts: (value) => headerText.test(value),
    wanted: headerTextRule,
  },
  "host-or-cidr": {
    accepts: isHostOrCidr,
    wanted: "a host name, an address or a CIDR block such as 10.0.0.0/8",
  },
  "whole-path": {
    accepts: (value) => isAbsolute(expandHome(value, sep)),
    wanted: "an absolute path, or one that begins with ~/",
  },
  "path-prefix": {
    accepts: (value) => /^\/[A-Za-z0-9_-]+$/.test(value),
    wanted: "a / followed by letters, digits, - or _",
  },
};

function hasScheme(value: string, schemes: readonly string[]): boolean {
  const url = parseUrl(value);
  return url !== undefined && schemes.includes(url.protocol) && url.host !== "";
}

/**
 * The code that fetches from these addresses refuses a user name in them, and its error message would show the
 * password.
 */
function hasNoUser(value: string): boolean {
  const url = parseUrl(value);
  return url?.username === "" && url.password === "";
}

/** Paths are appended to the address; after a query or a fragment they would become part of that. */
function endsWithPath(value: string): boolean {
  return !/[?#]/u.test(value);
}

/** Accepts an origin only as browsers write it, since any other spelling would never match. */
function isOrigin(value: string): boolean {
  const url = parseUrl(value);
  return url !== undefined && url.host !== "" && `${url.protocol}//${url.host}` === value;
}

function isHost(value: string): boolean {
  return hostPattern.test(value) || isIPv6(withoutBrackets(value));
}

function isHostOrCidr(value: string): boolean {
  if (!value.includes("/")) return isHost(value);
  const [, address = "", bits] = cidrPattern.exec(value) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 6 ? 128 : 32);
}

function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}
