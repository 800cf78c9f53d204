import { createHash, timingSafeEqual } from "node:crypto";

/** Compares an Authorization header with the secret in constant time, whatever its length. */
export function bearerTokenMatches(header: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${secret}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
