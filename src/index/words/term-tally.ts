/**
 * Adds up weights by term hash: what a Map of small objects would do, at a tenth of its time. Terms lie in the order in
 * which they first came, in three arrays side by side; `slots` says where a hash is, by open addressing.
 */
export interface TermTally {
  /** How many terms there are; the first so many places of the arrays below count. */
  size: number;
  readonly hashes: Uint32Array;
  readonly weights: Float64Array;
  /** How often each was added. */
  readonly times: Uint32Array;
  readonly slots: Int32Array;
}

/** An empty tally with room for so many terms. It is this thread's only one: what the last gave is gone. */
export function openTally(mostTerms: number): TermTally {
  if (shared.hashes.length < mostTerms) shared = makeTally(2 * mostTerms);
  else shared.slots.fill(-1);
  shared.size = 0;
  return shared;
}

function makeTally(mostTerms: number): TermTally {
  // At most half full, so that a look-up seldom goes further than one slot.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * mostTerms + 1))).fill(-1);
  return {
    size: 0,
    hashes: new Uint32Array(mostTerms),
    weights: new Float64Array(mostTerms),
    times: new Uint32Array(mostTerms),
    slots,
  };
}

let shared = makeTally(0);

/** Adds a weight and gives the term's place. There must be room. */
export function addToTally(tally: TermTally, hash: number, weight: number): number {
  const { slots, hashes, weights, times } = tally;
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (;;) {
    const place = slots[slot] ?? -1;
    if (place < 0) break;
    if (hashes[place] === hash) {
      weights[place] = (weights[place] ?? 0) + weight;
      times[place] = (times[place] ?? 0) + 1;
      return place;
    }
    slot = (slot + 1) & mask;
  }
  const place = tally.size;
  slots[slot] = place;
  hashes[place] = hash;
  weights[place] = weight;
  times[place] = 1;
  tally.size += 1;
  return place;
}
