import type { Writing } from "../../governance/transfer/collection.ts";
import { linkFurther, linkKnown, linksOf } from "../storage/links.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

/** A stored node or edge, and keys of the sources that records of a file name for it. */
export interface Named {
  readonly key: number;
  readonly sources: Iterable<number>;
}

/**
 * Links what is stored with what the file names for it, and returns which of it gained a source. What this import has
 * begun is completed under every strategy; under `skip` the rest is left alone.
 */
export async function linkNamed(
  { tx, ground, strategy, begun }: Writing,
  what: ThingKind,
  named: readonly Named[],
): Promise<Set<number>> {
  const linksWith = (all: readonly Named[]) => all.flatMap(({ key, sources }) => linksOf(key, sources));
  const gained = await linkFurther(tx.sql, what, linksWith(named.filter(({ key }) => begun[what].has(key))));
  if (strategy === "skip") return gained;
  const others = linksWith(named.filter(({ key }) => !begun[what].has(key)));
  for (const key of await linkKnown(tx.sql, what, others, ground.now())) gained.add(key);
  return gained;
}
