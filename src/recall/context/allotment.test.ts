import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allot, type Part } from "./allotment.ts";

const part = (share: number, itemSizes: number[], takesRest = false): Part => ({
  share,
  takesRest,
  headingSize: 0,
  itemSizes,
});
const taken = (parts: Part[], room: number) => allot(parts, room).map((items) => [...items].sort());

describe("allot", () => {
  test("never exceeds the room, headings included", () => {
    const anyPart = fc.record({
      share: fc.double({ min: 0, max: 0.25, noNaN: true }),
      takesRest: fc.boolean(),
      headingSize: fc.nat(20),
      itemSizes: fc.array(fc.nat(60), { maxLength: 12 }),
    });
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 4 }), fc.integer({ min: -50, max: 400 }), (parts, room) => {
        const sizes = allot(parts, room).map((items, at) => {
          const { headingSize = 0, itemSizes = [] } = parts[at] ?? {};
          const sum = [...items].reduce((total, position) => total + (itemSizes[position] ?? 0), 0);
          return items.size === 0 ? 0 : headingSize + sum;
        });
        expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(Math.max(0, room));
      }),
    );
  });

  test("omits no item that would still have fitted at the end", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
        fc.nat(400),
        (sizes, room) => {
          const [items = new Set<number>()] = allot([part(0.3, sizes)], room);
          const left = room - [...items].reduce((total, position) => total + (sizes[position] ?? 0), 0);
          for (const [position, size] of sizes.entries())
            if (!items.has(position)) expect(size).toBeGreaterThan(left);
        },
      ),
    );
  });

  test("skips an item that does not fit and takes the next", () => {
    expect(taken([part(1, [30, 90, 20])], 60)).toEqual([[0, 2]]);
  });

  test("passes an unused share on to the next part", () => {
    expect(taken([part(0.5, [10]), part(0.5, [90])], 100)).toEqual([[0], [0]]);
  });

  test("gives what is left at the end to the part that takes the rest", () => {
    expect(taken([part(0.3, [50]), part(0.3, [50], true), part(0.4, [])], 60)).toEqual([[], [0], []]);
  });

  test("counts the heading of a part with its first item", () => {
    const headed = { ...part(1, [10]), headingSize: 5 };
    expect(taken([headed], 14)).toEqual([[]]);
    expect(taken([headed], 15)).toEqual([[0]]);
  });
});
