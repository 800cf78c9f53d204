/*
 * Whole numbers in few bits, after Rice: what remains of a number above its lowest bits is written as so many ones and a
 * zero, then come the lowest bits. How many bits are the lowest is not written: who reads must know it, and the shortest
 * codes are those where it is about the logarithm of the numbers' mean. Numbers that would take eight ones or more stand
 * behind these as they are.
 *
 * So a code without eight ones takes 24 bits at most, and is read at one go. A search reads a hundred thousand of them:
 * the functions are small enough for V8 to put them where they are called.
 */

/** There are no more lowest bits than this. */
export const mostLowBits = 16;
/** As many ones say that the number itself follows, in 32 bits. */
export const onesOfWhole = 8;
export const bitsOfWhole = onesOfWhole + 32;

/** Whether the number does not stand as it is. */
export function isShort(number: number, lowBits: number): boolean {
  return number >>> lowBits < onesOfWhole;
}

/** The code of such a number. */
export function shortCode(number: number, lowBits: number): number {
  const ones = number >>> lowBits;
  return (((1 << (ones + 1)) - 2) << lowBits) | (number & ((1 << lowBits) - 1));
}

/** How many bits it takes. */
export function shortLength(number: number, lowBits: number): number {
  return (number >>> lowBits) + 1 + lowBits;
}

/** The 25 bits from a place on, and what happens to follow, the first of them as the highest of 32. */
export function bitsAt(view: DataView, bit: number): number {
  return view.getInt32(bit >>> 3) << (bit & 7);
}

/** How many ones the bits begin with. */
export function onesOf(bits: number): number {
  return Math.clz32(~bits);
}

/** The number whose code, with fewer than eight ones, the bits begin with. */
export function shortNumber(bits: number, ones: number, lowBits: number): number {
  // Twice, because nothing is shifted by 32.
  return (ones << lowBits) | (((bits << (ones + 1)) >>> 1) >>> (31 - lowBits));
}

/** The number that stands behind eight ones. */
export function wholeNumber(view: DataView, bit: number): number {
  const at = bit + onesOfWhole;
  return (bitsAt(view, at) >>> 16) * 0x10000 + (bitsAt(view, at + 16) >>> 16);
}
