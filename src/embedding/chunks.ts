import { cutCodePoints } from "../text/code-points.ts";

/** At most this many chunks of a document are embedded, to bound the cost of a single text. */
const maxChunks = 32;

/** A model that reads 256 tokens gets a text in overlapping windows, so that no sentence is only seen in halves. */
export const window = { tokens: 256, overlap: 32 } as const;

/**
 * In code points: what hardly any text writes in more than 512 tokens, the fewest that models in use read. Some servers
 * refuse longer texts, and 1,500 characters of Chinese or code have more tokens.
 */
export const shortPiece = { length: 400, overlap: 40 } as const;

/** Cuts a row of token ids into overlapping windows; one window where all fit. */
export function chunkTokens(ids: readonly number[], tokens: number, overlap: number): (readonly number[])[] {
  if (ids.length <= tokens) return [ids];
  const step = tokens - overlap;
  const count = Math.min(maxChunks, 1 + Math.ceil((ids.length - tokens) / step));
  return Array.from({ length: count }, (_, index) => ids.slice(index * step, index * step + tokens));
}

/** Cuts a text into overlapping pieces of at most `codePoints`, between words where there are any. */
export function chunkText(text: string, codePoints: number, overlap: number): string[] {
  const chunks: string[] = [];
  let rest = text;
  while (chunks.length < maxChunks) {
    const piece = cutCodePoints(rest, codePoints);
    if (piece.length === rest.length) return [...chunks, rest];
    const end = lastGap(piece) ?? piece.length;
    chunks.push(rest.slice(0, end));
    const shared = cutCodePoints(rest, codePoints - overlap).length;
    const start = Math.min(end, lastGap(rest.slice(0, shared)) ?? shared);
    rest = rest.slice(start).trimStart();
  }
  return chunks;
}

/** Index of the last white space, unless cutting there would leave less than half of the piece. */
function lastGap(piece: string): number | undefined {
  const at = piece.search(/\s\S*$/u);
  return at > piece.length / 2 ? at : undefined;
}
