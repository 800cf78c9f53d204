import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bitsAt,
  isShort,
  mostLowBits,
  onesOf,
  onesOfWhole,
  shortCode,
  shortLength,
  shortNumber,
  wholeNumber,
} from "./rice-code.ts";

const lowBits = fc.nat(mostLowBits);
const before = fc.string({ unit: fc.constantFrom("0", "1"), maxLength: 40 });

/** Bits as bytes, followed by spare ones, because the decoder reads beyond the end of a code. */
function viewOf(bits: string): DataView {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8 + 64, "1").match(/.{8}/gu) ?? [];
  return new DataView(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)).buffer);
}

const binary = (number: number, length: number) => number.toString(2).padStart(length, "0");

test("reads a number with a short code at any bit position", () => {
  const short = lowBits.chain((low) => fc.tuple(fc.constant(low), fc.nat(onesOfWhole * 2 ** low - 1)));
  fc.assert(
    fc.property(short, before, ([low, number], bits) => {
      expect(isShort(number, low)).toBe(true);
      const length = shortLength(number, low);
      expect(length).toBeLessThanOrEqual(24);
      const window = bitsAt(viewOf(bits + binary(shortCode(number, low), length)), bits.length);
      const ones = onesOf(window);
      expect(ones).toBeLessThan(onesOfWhole);
      expect(shortNumber(window, ones, low)).toBe(number);
    }),
  );
});

test("reads any number of 32 bits behind eight ones", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), before, (number, bits) => {
      const view = viewOf(bits + "1".repeat(onesOfWhole) + binary(number, 32));
      expect(onesOf(bitsAt(view, bits.length))).toBeGreaterThanOrEqual(onesOfWhole);
      expect(wholeNumber(view, bits.length)).toBe(number);
    }),
  );
});
