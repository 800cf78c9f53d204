import { inflectionStems } from "../../text/inflections.ts";
import { lowerCase } from "../../text/lower-case.ts";
import { indexTokens, scanText } from "../../text/tokens.ts";

/** A shorter word may begin any other. */
const shortestBeginning = 5;

/**
 * Makes a function that tells whether a text speaks of any of the names. It speaks of one that it has as a whole
 * (`OrderHistory`), or of which it has more than half of the words (`order`, `history`), in any form.
 */
export function speakingOf(names: readonly string[]): (text: string) => boolean {
  const tests = names.map(speakingOfOne);
  return (text) => {
    const tokens = new Set(indexTokens(text));
    const told = {
      text,
      tokens,
      stems: new Set([...tokens].flatMap((token) => inflectionStems("german", token))),
    };
    return tests.some((speaks) => speaks(told));
  };
}

interface Told {
  readonly text: string;
  readonly tokens: ReadonlySet<string>;
  /** What the tokens may have as their stems. */
  readonly stems: ReadonlySet<string>;
}

function speakingOfOne(name: string): (told: Told) => boolean {
  const { tokens, stops } = scanText(name);
  // Names such as `C#` are searched literally; those of function words say nothing.
  if (tokens.length === 0)
    return ({ text }) => stops.length === 0 && lowerCase(text).includes(lowerCase(name));
  const pieces = name.split(/\s+/u).map(indexTokens);
  const wholes = new Set(pieces.flatMap((piece) => (piece.length > 1 ? piece.slice(0, 1) : [])));
  const words = new Set(pieces.flatMap((piece) => (piece.length > 1 ? piece.slice(1) : piece)));
  return (told) => {
    if ([...wholes].some((whole) => told.tokens.has(whole))) return true;
    return 2 * [...words].filter((word) => hasFormOf(word, told)).length > words.size;
  };
}

/** Also a compound that begins with the word. English words are stems here; of other languages, these are alike. */
function hasFormOf(word: string, { tokens, stems }: Told): boolean {
  if (tokens.has(word) || inflectionStems("german", word).some((stem) => stems.has(stem))) return true;
  return word.length >= shortestBeginning && [...tokens].some((token) => token.startsWith(word));
}
