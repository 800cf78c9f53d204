import fc from "fast-check";
import { expect, test } from "vitest";
import { BitLists } from "./bit-lists.ts";

const appended = fc.array(
  fc.record({
    list: fc.nat(4),
    bits: fc.string({ unit: fc.constantFrom("0", "1"), minLength: 1, maxLength: 24 }),
    times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.nat(3_000)),
  }),
  { maxLength: 60 },
);

test("lists that grow in turns return their bits, whatever their lengths", () => {
  fc.assert(
    fc.property(appended, (given) => {
      const lists = new BitLists();
      const expected = Array.from({ length: 5 }, () => ({ list: lists.open(), bits: "" }));
      for (const { list: at, bits, times } of given) {
        const one = expected[at];
        if (one === undefined) continue;
        for (let time = 0; time < times; time += 1)
          lists.append(one.list, Number.parseInt(bits, 2), bits.length);
        one.bits += bits.repeat(times);
      }
      for (const { list, bits } of expected) {
        const bytes = new Uint8Array(lists.lengthOf(list));
        lists.copy(list, bytes);
        const read = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
        expect(read.slice(0, bits.length) === bits).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
