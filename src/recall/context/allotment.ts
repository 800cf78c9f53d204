/** A section by its sizes alone, in whatever unit the room is given. */
export interface Part {
  /** First share of the room, 0 to 1; the shares of all parts sum to at most 1. */
  readonly share: number;
  /** Takes what is left at the end before all others. */
  readonly takesRest: boolean;
  readonly headingSize: number;
  /** In order of use. */
  readonly itemSizes: readonly number[];
}

/**
 * Which items of each part fit. A part takes items in order, passing over those that do not fit, within its
 * share and what the parts before it left. What nobody took is offered once more: first to the part that takes
 * the rest, then to all in order. The sizes of what is taken, with the headings, never exceed the room.
 */
export function allot(parts: readonly Part[], room: number): ReadonlySet<number>[] {
  const takings = parts.map((part) => new Taking(part));
  let shared = 0;
  let used = 0;
  for (const taking of takings) {
    shared += taking.part.share;
    used += taking.take(Math.min(room, Math.floor(shared * room)) - used);
  }
  const again = [...takings.filter(({ part }) => part.takesRest), ...takings];
  for (const taking of again) used += taking.take(room - used);
  return takings.map(({ items }) => items);
}

class Taking {
  readonly part: Part;
  readonly items = new Set<number>();

  constructor(part: Part) {
    this.part = part;
  }

  /** Takes what fits into an allowance and is not taken yet; returns how much of it was used. */
  take(allowance: number): number {
    let used = 0;
    for (const [position, size] of this.part.itemSizes.entries()) {
      if (this.items.has(position)) continue;
      const cost = size + (this.items.size === 0 ? this.part.headingSize : 0);
      if (used + cost > allowance) continue;
      this.items.add(position);
      used += cost;
    }
    return used;
  }
}
