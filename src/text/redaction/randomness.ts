/** Whether the text is irregular like a generated secret, unlike a name, a path or a word. */
export function looksRandom(text: string): boolean {
  return new Set(text).size >= Math.min(5, text.length / 2) && !looksOrdinary(text);
}

/**
 * Whether the text reads like names in code or prose: words of usual length with a usual share of vowels, joined by
 * separators or capitals, with few digits.
 */
export function looksOrdinary(text: string): boolean {
  let letters = 0;
  let vowels = 0;
  let digits = 0;
  let words = 0;
  let wordLength = 0;
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === other) return false;
    if (kind === lower || kind === upper) {
      letters++;
      if (vowelCodes.has(code | 32)) vowels++;
      const continues = kind === previous || (kind === lower && previous === upper && wordLength === 1);
      wordLength = continues ? wordLength + 1 : 1;
      if (wordLength === 1) words++;
      if (wordLength > longestWord) return false;
    } else {
      wordLength = 0;
      if (kind === digit) digits++;
    }
    previous = kind;
  }
  return (
    letters >= words * shortestMeanWord &&
    vowels >= letters * fewestVowels &&
    digits <= text.length * mostDigits
  );
}

const chosen = /^(?=.*[a-z])(?=.*\d)[a-z\d!@#$%^&*+?~]{6,64}$/i;
const method =
  /^(?:base|argon|bcrypt|scrypt|pbkdf|sha|md|utf|aes|rsa|ed|curve|ascii|oauth|uuid|bytes|scram-sha-)\d|^0?x[\da-f]+$/i;

/**
 * Whether the text resembles a password that a person chose: letters and digits without separators, such as `hunter2`,
 * but not the name of an encoding or algorithm, such as `base64` or `argon2id`.
 */
export function looksChosen(text: string): boolean {
  return chosen.test(text) && !method.test(text);
}

/** Whether the text is the name of an encoding or algorithm. */
export function namesMethod(text: string): boolean {
  return text.length <= longestMethod && method.test(text);
}

const longestMethod = 16;

/* Gaps of templates, patterns, markup and addresses. */
const template =
  /\[REDACTED|[$#%@]\{|\$\(|%\(\w+\)|\{\{|\}\}|<%|%>|\{[a-z_]*\}|[{,][a-z]{2,}:|a-z|A-Z|0-9|\[\^|\(\?|\{\d+,?\d*\}|:\/\/|<\/?[a-z]+[ >]/;
const call = /[A-Za-z_]{3,}[([]/;
const expression = /[A-Za-z_]{3,}[([]|\(\)|=>|\|\||&&|\$[A-Za-z_]{3,}|[.\])][*+]/;
const words = /[A-Za-z]{5,}/g;
const mostWords = 0.5;
/*
 * Of the pairs of neighbours, those of two kinds: small or capital letter, digit, sign. Random texts have 0.6 and more.
 */
const fewestChanges = 0.45;
const fewestChangesLikeCode = 0.65;
/* Longer texts with so many signs are like code by chance. */
const longestLikeCode = 24;
const shortestScrambled = 8;

/**
 * Whether the text mixes letters, digits and signs like a generated password, which may contain any sign, unlike code.
 */
export function looksScrambled(text: string): boolean {
  if (text.length < shortestScrambled || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const signs = new Set(text.match(/[^\w.\-/\s]/g));
  const hasCases = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (signs.size < (hasCases ? 1 : 2) || template.test(text)) return false;
  if (call.test(text) && hasBalancedBrackets(text)) return false;
  if ((text.match(words) ?? []).join("").length > text.length * mostWords) return false;
  let changes = 0;
  for (let i = 1; i < text.length; i++)
    if (kindOf(text.charCodeAt(i)) !== kindOf(text.charCodeAt(i - 1))) changes++;
  const isLikeCode = text.length < longestLikeCode && expression.test(text);
  const fewest = isLikeCode ? fewestChangesLikeCode : fewestChanges;
  return changes >= (text.length - 1) * fewest;
}

/** Whether there are brackets and all are closed, as in code. */
export function hasBalancedBrackets(text: string): boolean {
  if (!/[()[\]{}]/.test(text)) return false;
  const open: string[] = [];
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    const at = "([{".indexOf(bracket);
    if (at >= 0) open.push(")]}".charAt(at));
    else if (open.pop() !== bracket) return false;
  }
  return open.length === 0;
}

/** Bits of Shannon entropy per character. */
export function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/* Thresholds from measurements of names in TypeScript declarations against random tokens (`bench/redaction.ts`). */
const longestWord = 20;
const shortestMeanWord = 3;
const fewestVowels = 0.25;
const mostDigits = 0.15;

const [separator, lower, upper, digit, other] = [1, 2, 3, 4, 5];
const vowelCodes = new Set([..."aeiouy"].map((vowel) => vowel.charCodeAt(0)));

function kindOf(code: number) {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  return code === 45 || code === 46 || code === 47 || code === 95 ? separator : other;
}
