import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFolder } from "../store/migrations.ts";
import { htmlResponse } from "./responses.ts";

/** Stands in the built page wherever an answer's nonce belongs. */
const nonceMark = "%NONCE%";

/**
 * The viewer: one page that holds everything it needs but data. Its policy lets in nothing but its own script and
 * style, by a nonce of this answer, lets it talk to nobody but this server, and makes the browser itself refuse to
 * turn text into markup. Read when it is asked for, so that a daemon nobody looks at holds none of it.
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
