import type { Addition } from "../statements/add-statement.ts";

interface Added {
  readonly created: number;
  readonly reinforced: number;
  readonly targetIds: string[];
}

/** Adds what was drawn, and counts it; a known conclusion without news does not count. */
export async function addDrawn<Drawn>(
  drawn: readonly Drawn[],
  add: (conclusion: Drawn) => Promise<Addition<{ readonly id: string }>>,
): Promise<Added> {
  const counts = { created: 0, reinforced: 0 };
  const targetIds: string[] = [];
  for (const conclusion of drawn) {
    const { action, row } = await add(conclusion);
    if (action === "unchanged") continue;
    counts[action] += 1;
    targetIds.push(row.id);
  }
  return { ...counts, targetIds };
}
