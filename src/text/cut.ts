import { cutCodePoints } from "./code-points.ts";
import { cutAtGrapheme } from "./grapheme-clusters.ts";

/** A piece that was cut out of a text by code units, without the half of a pair that may stand at either end. */
export function withoutHalves(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** The text itself, or its beginning, in whole characters, with `…` as the last of at most `maxLength` code points. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength || cutCodePoints(text, maxLength).length === text.length) return text;
  if (maxLength <= 0) return "";
  return `${cutAtGrapheme(text, cutCodePoints(text, maxLength - 1).length).trimEnd()}…`;
}

/** White space collapsed to single blanks, cut to `maxLength` code points. Looks only at the beginning of long text. */
export function oneLine(text: string, maxLength: number): string {
  const start = cutCodePoints(text.trimStart(), maxLength * 4 + 64);
  return cutText(start.replace(/\s+/g, " ").trim(), maxLength);
}

/** Whether a text begins with what another says, of which a cut may have left the beginning alone. */
export function beginsWith(text: string, beginning: string): boolean {
  return text.startsWith(beginning.replace(/…$/u, ""));
}
