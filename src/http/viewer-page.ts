import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFolder } from "../store/migrations.ts";
import { htmlResponse } from "./responses.ts";

/** Placeholder for the nonce in the built page. */
const nonceMark = "%NONCE%";

/**
 * The viewer: one page that contains everything but the data. Its policy allows only its own script and style (by a
 * nonce of this answer) and connections to this server, and makes the browser refuse to parse text as markup (trusted
 * types). Read from disk at each request, so that a daemon without viewers holds none of it.
 */
export async function viewerPage(): Promise<Response> {
  const nonce = randomBytes(18).toString("base64");
  const page = await readFile(join(packageFolder(), "dist", "viewer.html"), "utf8");
  return htmlResponse(page.replaceAll(nonceMark, nonce), {
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": policy(nonce),
  });
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
