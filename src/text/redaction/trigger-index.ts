import type { Rule } from "./rule.ts";

/*
 * Finds where any of some hundred literals stands in a text, in one pass and without regard to case.
 *
 * Every character is folded to one of 64 symbols (letters without case, digits as one symbol, the ASCII
 * punctuation that triggers use, what is beyond ASCII by its last six bits; all else is symbol 0). Three symbols in a
 * row make an 18-bit number; `slotOfTrigram` says for each of the 2^18 numbers which triggers have that trigram, 0 for
 * none. The pass over clean text is one multiplication-free step and one table look-up per character. Each trigger
 * is filed under the trigram of its own that is rarest in prose and code, so that `con` or `pro` do not
 * stop the pass at every other word.
 */

export interface Trigger {
  readonly literal: string;
  /** Where the filed trigram stands in the literal. */
  readonly offset: number;
  readonly rule: Rule;
}

export interface TriggerIndex {
  /** Symbol of each UTF-16 code below 128. */
  readonly symbolOfCode: Uint8Array;
  /** For each trigram, 0 or the position in `slots`. */
  readonly slotOfTrigram: Uint16Array;
  readonly slots: readonly (readonly Trigger[])[];
  /** Keeps the last three symbols. */
  readonly mask: number;
}

const trigramMask = 0x3ffff;

/** Indexes the triggers of the rules; where several stand at one place, earlier rules are asked first. */
export function indexTriggers(rules: readonly Rule[]): TriggerIndex {
  const symbolOfCode = foldingTable();
  const slotOfTrigram = new Uint16Array(trigramMask + 1);
  const slots: Trigger[][] = [[]];
  for (const rule of rules) {
    for (const literal of rule.triggers) {
      if (literal.length < 3) throw new Error(`trigger "${literal}" of ${rule.name} is too short`);
      const offset = rarestTrigram(literal);
      const trigram = trigramAt(symbolOfCode, literal, offset);
      const known = slotOfTrigram[trigram] ?? 0;
      const slot = known === 0 ? slots.length : known;
      if (known === 0) {
        slots.push([]);
        slotOfTrigram[trigram] = slot;
      }
      slots[slot]?.push({ literal, offset, rule });
    }
  }
  return { symbolOfCode, slotOfTrigram, slots, mask: trigramMask };
}

/** The symbol of a UTF-16 code. */
export function symbolOf(symbolOfCode: Uint8Array, code: number): number {
  return code < 128 ? (symbolOfCode[code] ?? 0) : code & 63;
}

/** Whether the literal stands at `at`, ignoring the case of ASCII letters; `#` stands for any digit. */
export function standsAt(text: string, at: number, literal: string): boolean {
  for (let i = 0; i < literal.length; i++) {
    const code = text.charCodeAt(at + i);
    const wanted = literal.charCodeAt(i);
    const folded = code >= 65 && code <= 90 ? code + 32 : code;
    const fits = wanted === 35 ? code >= 48 && code <= 57 : folded === wanted;
    if (!fits) return false;
  }
  return true;
}

const digitSymbol = 27;
const punctuation = " -_.:/|%~=<>\"'{}()[],;+@!?$&*";

function foldingTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (let letter = 0; letter < 26; letter++) {
    table[97 + letter] = 1 + letter;
    table[65 + letter] = 1 + letter;
  }
  for (let code = 48; code < 58; code++) table[code] = digitSymbol;
  for (let i = 0; i < punctuation.length; i++) table[punctuation.charCodeAt(i)] = digitSymbol + 1 + i;
  table[35] = digitSymbol;
  return table;
}

function trigramAt(symbolOfCode: Uint8Array, literal: string, offset: number): number {
  let trigram = 0;
  for (let i = offset; i < offset + 3; i++) {
    trigram = (trigram << 6) | symbolOf(symbolOfCode, literal.charCodeAt(i));
  }
  return trigram;
}

/* Letters by their frequency in English, most frequent first: a cheap measure of a trigram's rarity. */
const frequentLetters = "etaoinsrhldcumfpgwybvkxjqz";

function rarestTrigram(literal: string): number {
  let best = 0;
  let bestRarity = -1;
  for (let offset = 0; offset + 3 <= literal.length; offset++) {
    let rarity = 0;
    for (const character of literal.slice(offset, offset + 3)) {
      const rank = frequentLetters.indexOf(character);
      rarity += rank === -1 ? 30 : rank;
    }
    if (rarity > bestRarity) {
      best = offset;
      bestRarity = rarity;
    }
  }
  return best;
}
