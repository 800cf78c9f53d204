/** The sizes of a section, in the same unit as the room. */
export interface Part {
  /** Its share of the room in the first round, 0 to 1; the shares of all parts sum to at most 1. */
  readonly share: number;
  /** Whether room that is left after the first round is offered to it before the others. */
  readonly takesRest: boolean;
  readonly headingSize: number;
  /** In order of use. */
  readonly itemSizes: readonly number[];
}

/**
 * Chooses the items of each part that fit. A part takes items in order, skipping those that do not fit, within its
 * share plus the room that the parts before it left. Room that is left then is offered in a second round: first to the
 * parts with `takesRest`, then to all in order. The taken items and their headings together never exceed the room.
 */
export function allot(parts: readonly Part[], room: number): ReadonlySet<number>[] {
  const takings = parts.map((part) => new Taking(part));
  let shared = 0;
  let used = 0;
  for (const taking of takings) {
    shared += taking.part.share;
    used += taking.take(Math.floor(shared * room) - used);
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

  /** Takes further items that fit into the allowance; returns how much of it they use. */
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
