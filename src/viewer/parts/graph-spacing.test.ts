import { expect, test } from "vitest";
import { layOut, type Point } from "./graph-layout.ts";
import { separateOverlaps } from "./graph-spacing.ts";

const room = { width: 860, height: 480, margin: 40 };

function covered(places: readonly Point[], radii: readonly number[]): number {
  return places.flatMap((one, first) =>
    places.filter(
      (other, second) =>
        second > first &&
        Math.hypot(one.x - other.x, one.y - other.y) < (radii[first] ?? 0) + (radii[second] ?? 0),
    ),
  ).length;
}

test("all overlapping dots of two dense groups are separated, and the pinned one stays", () => {
  const ties = [0, 28].flatMap((start) =>
    Array.from({ length: 28 * 28 }, (_, at) => ({
      from: start + Math.floor(at / 28),
      to: start + (at % 28),
    })),
  );
  const radii = Array.from({ length: 60 }, (_, number) => 16 - number / 6);
  for (const pinned of [undefined, 3]) {
    const places = layOut(60, ties, { ...room, pinned });
    expect(covered(places, radii)).toBeGreaterThan(40);
    const apart = separateOverlaps(places, radii, { ...room, pinned });
    expect(covered(apart, radii)).toBe(0);
    if (pinned !== undefined) expect(apart[pinned]).toEqual(places[pinned]);
    for (const { x, y } of apart) {
      expect(x).toBe(Math.min(820, Math.max(40, x)));
      expect(y).toBe(Math.min(440, Math.max(40, y)));
    }
  }
});

test("dots at the same place are separated", () => {
  const places = Array.from({ length: 20 }, () => ({ x: 430, y: 240 }));
  const radii = places.map(() => 10);
  expect(covered(separateOverlaps(places, radii, room), radii)).toBe(0);
});
