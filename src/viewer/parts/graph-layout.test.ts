import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut } from "./graph-layout.ts";

const room = { width: 860, height: 480, margin: 40 };
const graphs = fc.integer({ min: 0, max: 60 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    ties: fc.array(fc.record({ from: fc.nat(Math.max(0, count - 1)), to: fc.nat(Math.max(0, count - 1)) }), {
      maxLength: count === 0 ? 0 : 120,
    }),
    pinned: fc.option(fc.nat(Math.max(0, count - 1)), { nil: undefined }),
  }),
);

test("every layout is reproducible, within the margins, and has the pinned node in the middle", () => {
  fc.assert(
    fc.property(graphs, ({ count, ties, pinned }) => {
      const places = layOut(count, ties, { ...room, pinned });
      expect(places).toHaveLength(count);
      for (const { x, y } of places) {
        expect(x).toBeGreaterThanOrEqual(room.margin - 0.01);
        expect(x).toBeLessThanOrEqual(room.width - room.margin + 0.01);
        expect(y).toBeGreaterThanOrEqual(room.margin - 0.01);
        expect(y).toBeLessThanOrEqual(room.height - room.margin + 0.01);
      }
      if (pinned !== undefined && count > 1) {
        expect(places[pinned]?.x).toBeCloseTo(430);
        expect(places[pinned]?.y).toBeCloseTo(240);
      }
      expect(layOut(count, ties, { ...room, pinned })).toEqual(places);
    }),
    { numRuns: 40 },
  );
});

test("connected nodes lie closer together than others", () => {
  // Two groups of five, each tied throughout.
  const ties = [0, 5].flatMap((first) =>
    Array.from({ length: 25 }, (_, at) => ({ from: first + Math.floor(at / 5), to: first + (at % 5) })),
  );
  const places = layOut(10, ties, room);
  const apart = (other: number) => {
    const [a, b] = [places[0], places[other]];
    if (a === undefined || b === undefined) throw new Error("no such node");
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const within = Math.max(...[1, 2, 3, 4].map((other) => apart(other)));
  const across = Math.min(...[5, 6, 7, 8, 9].map((other) => apart(other)));
  expect(within).toBeLessThan(across);
});

test("lone nodes do not press all others together", () => {
  // Two rings of twenty, and two nodes without ties.
  const ties = [0, 20].flatMap((first) =>
    Array.from({ length: 20 }, (_, at) => ({ from: first + at, to: first + ((at + 1) % 20) })),
  );
  const places = layOut(42, ties, room);
  const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  for (const ring of [places.slice(0, 20), places.slice(20, 40)]) {
    expect(spanOf(ring.map(({ x }) => x))).toBeGreaterThan(room.width / 4);
    expect(spanOf(ring.map(({ y }) => y))).toBeGreaterThan(0.4 * room.height);
  }
});
