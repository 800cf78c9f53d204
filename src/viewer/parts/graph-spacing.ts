import type { Point, Room } from "./graph-layout.ts";

const rounds = 120;
/** Smallest distance between the rims of two dots, in pixels. */
const gap = 2;

/**
 * Moves overlapping dots apart, as far as the room allows: the layout draws connected nodes so close that dots would
 * cover each other, and a covered dot can be neither seen nor clicked.
 */
export function separateOverlaps(
  places: readonly Point[],
  radii: readonly number[],
  { width, height, margin, pinned }: Room,
): Point[] {
  const moved = places.map(({ x, y }, number) => ({ x, y, isPinned: number === pinned }));
  for (let round = 0; round < rounds; round += 1) {
    let isQuiet = true;
    for (const [first, one] of moved.entries()) {
      for (const [second, other] of moved.entries()) {
        if (second <= first) continue;
        const [apartX, apartY] = [other.x - one.x, other.y - one.y];
        const apart = Math.hypot(apartX, apartY);
        const lacking = (radii[first] ?? 0) + (radii[second] ?? 0) + gap - apart;
        if (lacking <= 0) continue;
        isQuiet = false;
        // Dots at the same position are separated in a direction that depends on the pair.
        const [towardsX, towardsY] =
          apart === 0
            ? [Math.cos(first + second), Math.sin(first + second)]
            : [apartX / apart, apartY / apart];
        const share = one.isPinned || other.isPinned ? lacking : lacking / 2;
        for (const [dot, by] of [
          [one, -share],
          [other, share],
        ] as const) {
          if (dot.isPinned) continue;
          dot.x = between(margin, dot.x + by * towardsX, width - margin);
          dot.y = between(margin, dot.y + by * towardsY, height - margin);
        }
      }
    }
    if (isQuiet) break;
  }
  return moved.map(({ x, y }) => ({ x, y }));
}

function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
