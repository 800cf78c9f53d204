import { escapePattern } from "../../text/escape-pattern.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import { onlyAscii, spacedLetter } from "../../text/scripts.ts";

const twoAdjacent = scriptPattern(`(?:${spacedLetter}){2}`);

/** Whether a query has no two adjacent letters or digits of a script with spaces between words. */
export function isWordless(query: string): boolean {
  return !twoAdjacent(query).test(query);
}

export const longestLiteral = 200;

/** Makes a function that finds the places in a text where the query occurs literally, ignoring case. */
export function literalPlaces(query: string): (text: string) => { at: number; end: number; word: 0 }[] {
  const wanted = query.trim();
  if (wanted === "" || wanted.length > longestLiteral) return () => [];
  const pattern = new RegExp(wholePattern(wanted), "giu");
  return (text) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index: at }) => ({
      at,
      end: at + found.length,
      word: 0,
    }));
}

/**
 * `x` must not match every word with an x in it; but in scripts without spaces between words, a query may match
 * anywhere, and a word ends where they begin.
 */
export function wholePattern(wanted: string): RegExp {
  const composed = wanted.normalize("NFC");
  const startsWord = new RegExp(`^${spacedLetter}`, "u").test(composed) ? `(?<!${spacedLetter})` : "";
  const endsWord = new RegExp(`${spacedLetter}$`, "u").test(composed) ? `(?!${spacedLetter})` : "";
  const written = composedForms(wanted).map(escapePattern).join("|");
  return new RegExp(`${startsWord}(?:${written})${endsWord}`, "iu");
}

/** How a text may write the query, for LIKE, which ignores case in ASCII only. */
export function formsInText(wanted: string): string[] {
  const forms = composedForms(wanted);
  if (onlyAscii.test(wanted)) return forms;
  return [...new Set(forms.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]))];
}

/** With accents as parts of letters and as characters of their own, and in the usual width. */
function composedForms(text: string): string[] {
  return [...new Set([text, text.normalize("NFC"), text.normalize("NFD"), text.normalize("NFKC")])];
}
