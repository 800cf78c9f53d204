import type { Block } from "./block.ts";

/** What an agent takes of a context block at most: of a longer one, it shows its model only parts. */
export interface SizeLimits {
  /** In UTF-16 code units. */
  readonly maxCharacters?: number | undefined;
  /** In UTF-8. */
  readonly maxBytes?: number | undefined;
}

/** Writes a block with the budget, or with the largest share of it that keeps the block within the limits. */
export function writtenWithin(
  limits: SizeLimits,
  write: (budgetTokens: number) => Block,
  budgetTokens: number,
): Block {
  const block = write(budgetTokens);
  const excess = excessOf(block, limits);
  // What is left out may be denser than what stays, so the next block may be too long again.
  return excess <= 1 ? block : writtenWithin(limits, write, Math.floor(block.tokens / excess));
}

/** How many times as long as its limits a block is. */
function excessOf({ context }: Block, { maxCharacters, maxBytes }: SizeLimits): number {
  return Math.max(
    maxCharacters === undefined ? 0 : context.length / maxCharacters,
    maxBytes === undefined ? 0 : Buffer.byteLength(context) / maxBytes,
  );
}
