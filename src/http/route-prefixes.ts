import { getPath } from "hono/utils/url";
import type { Settings } from "../config/load.ts";

export const defaultPrefix = "/memsvc";

/** All prefixes under which the routes are served. */
export function routePrefixes(settings: Settings): string[] {
  return [defaultPrefix, ...settings.prefixAliases];
}

/**
 * The path of a request as routes match it. Cut from the text, because building a URL object takes longer than routing.
 */
export function routePath(request: Request): string {
  return withoutTrailingSlash(getPath(request));
}

/** A path without the one trailing slash that is ignored. */
function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export function hasTrailingSlash(request: Request): boolean {
  return getPath(request).endsWith("/");
}
