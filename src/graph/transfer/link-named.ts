import type { Writing } from "../../governance/transfer/collection.ts";
import { linkFurther, linkKnown, linksOf } from "../storage/links.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

/** Key of a stored node or edge, and keys of the sources that the file names for it. */
interface Named {
  readonly key: number;
  readonly sources: Iterable<number>;
}

/**
 * Links stored nodes or edges with the sources that the file names for them; returns the keys of those that gained a
 * source. Those that this import itself began get all their links under every strategy; under `skip` no others get any.
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
