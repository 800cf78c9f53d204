import { looksScrambled } from "./randomness.ts";

/*
 * Quotes within quotes. In JSON that is quoted n times over, the quotes of a value have 2ⁿ - 1 backslashes each: none,
 * one, three, seven. A quote with more belongs to the value, unless the surplus consists of escaped backslashes.
 */

const backslash = 92;
const longestRest = 512;
/* Deeper quoting does not occur, and a hostile run of backslashes must not be counted again and again. */
const longestRun = 31;

/** The opening quote of a value. */
interface Opening {
  readonly quote: string;
  readonly backslashes: number;
}

/** The quote right before `start`, if there is one that opens a value. */
export function openingBefore(text: string, start: number): Opening | undefined {
  const quote = text.charAt(start - 1);
  if (quote !== '"' && quote !== "'") return undefined;
  return { quote, backslashes: backslashesBefore(text, start - 1) };
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (count < longestRun && text.charCodeAt(at - 1 - count) === backslash) count++;
  return count;
}

/**
 * The position of the closing quote, with its own backslashes, searched for from `from` to `limit`; undefined if there
 * is none. Doubled quotes, as in SQL, YAML and CSV, belong to the value.
 */
export function closingQuote(
  text: string,
  { quote, backslashes }: Opening,
  from: number,
  limit: number,
): number | undefined {
  let run = backslashesBefore(text, from);
  for (let at = from; at < limit && at < text.length; at++) {
    if (text.charCodeAt(at) === backslash) {
      run++;
      continue;
    }
    if (text.charAt(at) === quote) {
      const surplus = run - backslashes;
      if (surplus < 0) return undefined;
      if (surplus % (2 * (backslashes + 1)) === 0) {
        if (backslashes > 0 || text.charAt(at + 1) !== quote) return at - backslashes;
        at++;
      }
    }
    run = 0;
  }
  return undefined;
}

/**
 * The end of a value in quotes, of which `end` may be only the first escaped or doubled character, or the first sign
 * that tokens do not contain; `end` itself if the value ends there, or if a blank or a line break follows before the
 * closing quote.
 */
export function endOfQuotedValue(text: string, start: number, end: number): number {
  const opening = openingBefore(text, start);
  const next = text.charAt(end);
  if (opening === undefined || !(next === "\\" || next === opening.quote || sign.test(next))) return end;
  // Three quotes open a text of several lines.
  if (text.charAt(start - 2) === opening.quote) return end;
  const closing = closingQuote(text, opening, end, end + longestRest);
  if (closing === undefined || closing <= end) return end;
  const rest = text.slice(end, closing);
  const isCode = sign.test(next) && signOfCode.test(rest) && !looksScrambled(text.slice(start, closing));
  return isCode || hasBlank(rest, opening.backslashes) || endsText.test(rest) ? end : closing;
}

const sign = /[!#$%^&*?~|@,;:()[\]{}<>]/;
/* Brackets, and what separates values, as in URLs and lists. */
const signOfCode = /[()[\]{}<>]|^[@,;:]/;

/* The end of the text around a value whose own quote was never closed. */
const endsText = /(?<!\\)["'`][,:;)}\]+]/;

function hasBlank(rest: string, backslashes: number): boolean {
  if (/\s/.test(rest)) return true;
  // A line break or tab that is written out has as many backslashes as one level of quoting adds.
  for (const [, run = ""] of rest.matchAll(/(\\+)[nrt]/g))
    if ((run.length / (backslashes + 1)) % 2 === 1) return true;
  return false;
}
