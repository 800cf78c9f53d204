import type { Rule } from "./rule.ts";

/*
 * Finds any of some hundred literals in a text, in one pass and ignoring case.
 *
 * Every character is mapped to one of 64 symbols (letters without case, all digits as one symbol, the ASCII punctuation
 * that triggers use, non-ASCII by its last six bits, all else symbol 0). Three consecutive symbols form an 18-bit
 * number; `slotOfTrigram` gives for each of the 2^18 numbers the triggers with that trigram, or 0. On clean text the
 * pass needs one shift and one table look-up per character. Each trigger is filed under its rarest trigram in prose and
 * code, so that `con` or `pro` do not stop the pass at every other word.
 */

export interface Trigger {
  readonly literal: string;
  /** Position of the filed trigram in the literal. */
  readonly offset: number;
  readonly rule: Rule;
}

export interface TriggerIndex {
  /** The symbol of each UTF-16 code below 128. */
  readonly symbolOfCode: Uint8Array;
  /** For each trigram, its index in `slots`, or 0. */
  readonly slotOfTrigram: Uint16Array;
  readonly slots: readonly (readonly Trigger[])[];
  /** Masks the last three symbols. */
  readonly mask: number;
}

const trigramMask = 0x3ffff;

/** Indexes the triggers of the rules. At the same position, earlier rules are asked first. */
export function indexTriggers(rules: readonly Rule[]): TriggerIndex {
  const symbolOfCode = foldingTable();
  const rarityOf = trigramRarity(symbolOfCode);
  const slotOfTrigram = new Uint16Array(trigramMask + 1);
  const slots: Trigger[][] = [[]];
  for (const rule of rules) {
    for (const literal of rule.triggers) {
      if (literal.length < 3) throw new Error(`trigger "${literal}" of ${rule.name} is too short`);
      const { offset, trigram } = rarestTrigram(symbolOfCode, literal, rarityOf);
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

/** Whether the literal is at `at`, ignoring the case of ASCII letters; `#` matches any digit. */
export function matchesAt(text: string, at: number, literal: string): boolean {
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

/*
 * The most frequent trigrams of prose and code (the clean corpora of `bench/redaction.ts`), the most frequent first,
 * without case and with `#` for a digit; and letters and the blank in the same order. Trigrams of blanks are more
 * frequent than those of letters alone, but most of them are among the former.
 */
const frequentTrigrams =
  "    ththeiontiohe  ining reed ent anof  ofon ati coand  *nd in  * strateng onsrescon st pr" +
  "ter toectes trior proto forrinal is ypeer typctis a a  exre tedessort fo | intexp dereant " +
  "prepar###mene tporncente iserets ly e atense  wiinen tturdefs tth  = ithperat eve se paode" +
  "romvalas f tstae ie cce estextrate s cast aretrawitan endrt s oalld ttoric e onalns  nolat" +
  "ndeicaiveeraret dit tamevernstdern aase ascalpti beultle ches i maersthanum me nuacte: com" +
  "/**n oe pistte enc: s */sio arzodherthi?: indageara unlindatblenti tr frs, gen  rurnund  /" +
  "optetularontferber ##hatmeteneen e fmbetinidetat moe r tyds matssihisticfroll rantiveadass" +
  ", aramalu suve tes#.#redell## ): recnamrenpatelelueom itisteumbt i one eablnts va /*e, ope" +
  "pe ormityiteemaclauncd aore ge lipeceququen id ifin, t siace wenedxpoerie mselvenulae dser" +
  "catjecnot  }r tusecel  cnctififunonane anteme whaliure bosedimpainndsmod ceials woutxteffe";
const frequentLetters = "etao insrhldcumfpgwybvkxjqz";
/** As rare as no letter is. */
const rarityOfOthers = 30;

/** Makes a function that estimates how rare a trigram is; every command needs it once, so it makes no strings. */
function trigramRarity(symbolOfCode: Uint8Array): (trigram: number) => number {
  const rankOfTrigram = new Map<number, number>();
  for (let at = 0, trigram = 0; at < frequentTrigrams.length; at++) {
    trigram = ((trigram << 6) | symbolOf(symbolOfCode, frequentTrigrams.charCodeAt(at))) & trigramMask;
    if (at % 3 === 2) rankOfTrigram.set(trigram, (at - 2) / 3);
  }
  const rarityOfSymbol = new Uint8Array(64).fill(rarityOfOthers);
  for (let rank = 0; rank < frequentLetters.length; rank++)
    rarityOfSymbol[symbolOf(symbolOfCode, frequentLetters.charCodeAt(rank))] = rank;
  const ofSymbol = (symbol: number) => rarityOfSymbol[symbol] ?? rarityOfOthers;
  return (trigram) =>
    rankOfTrigram.get(trigram) ??
    rankOfTrigram.size + ofSymbol(trigram >> 12) + ofSymbol((trigram >> 6) & 63) + ofSymbol(trigram & 63);
}

function rarestTrigram(
  symbolOfCode: Uint8Array,
  literal: string,
  rarityOf: (trigram: number) => number,
): { readonly offset: number; readonly trigram: number } {
  let offset = 0;
  let rarest = 0;
  let bestRarity = -1;
  let trigram = 0;
  for (let at = 0; at < literal.length; at++) {
    trigram = ((trigram << 6) | symbolOf(symbolOfCode, literal.charCodeAt(at))) & trigramMask;
    const rarity = at < 2 ? -1 : rarityOf(trigram);
    if (rarity <= bestRarity) continue;
    offset = at - 2;
    rarest = trigram;
    bestRarity = rarity;
  }
  return { offset, trigram: rarest };
}
