/*
 * Rice coding of whole numbers. With parameter k (`lowBits`), a number n is written as n >> k ones, a zero, and the
 * lowest k bits of n. The parameter is not written, so the reader has to know it; codes are shortest if it is about the
 * binary logarithm of the mean of the numbers. A number that would take eight ones or more is written as eight ones and
 * then all its 32 bits.
 *
 * So a short code, one without eight ones, has at most 24 bits and is read in one step. A search reads a hundred
 * thousand of them; the functions are small enough for V8 to inline.
 */

/** The largest allowed `lowBits`. */
export const mostLowBits = 16;
/** This many ones mean that the whole number follows, in 32 bits. */
export const onesOfWhole = 8;
export const bitsOfWhole = onesOfWhole + 32;

/** Whether a number has a short code. */
export function isShort(number: number, lowBits: number): boolean {
  return number >>> lowBits < onesOfWhole;
}

/** The short code of a number. */
export function shortCode(number: number, lowBits: number): number {
  const ones = number >>> lowBits;
  return (((1 << (ones + 1)) - 2) << lowBits) | (number & ((1 << lowBits) - 1));
}

/** The number of bits of a short code. */
export function shortLength(number: number, lowBits: number): number {
  return (number >>> lowBits) + 1 + lowBits;
}

/** At least 25 bits from a bit position on, the first as the highest of a 32-bit integer; the lowest 7 may be zeros. */
export function bitsAt(view: DataView, bit: number): number {
  return view.getInt32(bit >>> 3) << (bit & 7);
}

/** The number of ones with which the bits begin. */
export function onesOf(bits: number): number {
  return Math.clz32(~bits);
}

/** The number whose short code, with `ones` ones, the bits begin with. */
export function shortNumber(bits: number, ones: number, lowBits: number): number {
  // Two shifts, because one by 32 - lowBits would not work for 0: JavaScript shifts by 32 as by 0.
  return (ones << lowBits) | (((bits << (ones + 1)) >>> 1) >>> (31 - lowBits));
}

/** The number in a code with eight ones, which begins at a bit position. */
export function wholeNumber(view: DataView, bit: number): number {
  const at = bit + onesOfWhole;
  return (bitsAt(view, at) >>> 16) * 0x10000 + (bitsAt(view, at + 16) >>> 16);
}
