/*
 * Terminals wrap a long token at their right edge. A line break counts as such a wrap if the line is about as long as a
 * terminal is wide and has no blank near its end, and the next line does not begin with a word or name.
 */
import { endOfMatchAt, matchAt } from "../match-at.ts";
import { looksOrdinary } from "./randomness.ts";

const narrowest = 72;
const widest = 300;
const mostLines = 40;
const shortestTail = 6;

const brokenPiece = /\r?\n([\w.+/=~-]{1,300})(?![\w.+/=~:("'-])/y;

/** The end of a token that a terminal may have wrapped after `end`; `end` itself if it did not. */
export function endOfWrappedToken(text: string, end: number): number {
  let reached = end;
  for (let line = 0; line < mostLines; line++) {
    const code = text.charCodeAt(reached);
    if (code !== 10 && code !== 13) break;
    const width = widthOfLine(text, reached);
    const piece = matchAt(brokenPiece, text, reached)?.[1];
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

/** The token from `at` on without line breaks; undefined if it was not wrapped. */
export function joinWrappedToken(
  text: string,
  at: number,
): { token: string; breaks: readonly number[] } | undefined {
  const first = endOfMatchAt(firstPiece, text, at);
  if (first === undefined) return undefined;
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
