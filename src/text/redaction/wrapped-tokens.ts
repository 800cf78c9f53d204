/*
 * Terminals break a long token at their right edge. The break counts as one of theirs when the line is
 * about as long as a terminal is wide and holds no blank near its end, and what follows at the next line's
 * beginning reads like no word or name.
 */
import { looksOrdinary } from "./randomness.ts";

const narrowest = 72;
const widest = 300;
const mostLines = 40;
const shortestTail = 6;

const brokenPiece = /\r?\n([\w.+/=~-]{1,300})(?![\w.+/=~:("'-])/y;

/** Where a token that reaches to `end` ends, when a terminal broke it over lines; `end` when none did. */
export function endOfWrappedToken(text: string, end: number): number {
  let reached = end;
  for (let line = 0; line < mostLines; line++) {
    const code = text.charCodeAt(reached);
    if (code !== 10 && code !== 13) break;
    const width = widthOfLine(text, reached);
    brokenPiece.lastIndex = reached;
    const piece = brokenPiece.exec(text)?.[1];
    if (width < narrowest || piece === undefined || !isTail(piece, width)) break;
    reached = brokenPiece.lastIndex;
  }
  return reached;
}

function isTail(piece: string, width: number): boolean {
  if (piece.length > width) return false;
  return (
    piece.length === width || (piece.length >= shortestTail && /[0-9]/.test(piece) && !looksOrdinary(piece))
  );
}

function widthOfLine(text: string, end: number): number {
  const before = text.slice(Math.max(0, end - widest - 1), end);
  const width = before.length - 1 - before.lastIndexOf("\n");
  return width > widest ? 0 : width;
}

/** A token's pieces from `at` on without the breaks; undefined when no terminal broke them. */
export function joinWrappedToken(
  text: string,
  at: number,
): { token: string; breaks: readonly number[] } | undefined {
  firstPiece.lastIndex = at;
  if (!firstPiece.test(text)) return undefined;
  const first = firstPiece.lastIndex;
  const end = endOfWrappedToken(text, first);
  if (end === first) return undefined;
  const breaks: number[] = [];
  const raw = text.slice(at, end);
  const token = raw.replace(/\r?\n/g, (found: string, position: number) => {
    for (let i = 0; i < found.length; i++) breaks.push(position);
    return "";
  });
  return { token, breaks };
}

const firstPiece = /[\w.+/=~-]{3,300}(?=\r?\n)/y;
