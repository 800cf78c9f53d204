import { termsOf, turnedAway } from "./turned-away.ts";

/** A finding with what places it. */
export interface PlacedFinding {
  readonly title: string;
  readonly content: string;
  readonly files: readonly string[];
  readonly sessionIds: readonly string[];
}

/** Fewer words in common may be chance. */
const fewestShared = 2;

/**
 * The first of some findings whose cause a later one denies: it names that cause, and is about the same, because it is
 * of the same session, the same file, or tells it with the same words. `said` are the sentences of the later one and the
 * sentence before.
 */
export function correctedBy<Earlier extends PlacedFinding>(
  later: PlacedFinding,
  said: readonly string[],
  earlier: readonly Earlier[],
): Earlier | undefined {
  const denied = turnedAway(said);
  if (denied.length === 0) return undefined;
  return earlier.find((one) => {
    const content = new Set(termsOf(one.content));
    const rejected = turnedAway([one.content]).map((terms) => terms.join(" "));
    return denied.some(
      (terms) =>
        terms.every((term) => content.has(term)) &&
        !rejected.includes(terms.join(" ")) &&
        isAboutSame(later, one, terms),
    );
  });
}

function isAboutSame(later: PlacedFinding, earlier: PlacedFinding, denied: readonly string[]): boolean {
  if (later.sessionIds.some((id) => earlier.sessionIds.includes(id))) return true;
  if (later.files.some((file) => earlier.files.includes(file))) return true;
  const told = new Set(termsOf(`${earlier.title} ${earlier.content}`));
  const shared = termsOf(`${later.title} ${later.content}`).filter(
    (term) => told.has(term) && !denied.includes(term) && !sayingCause.has(term),
  );
  return shared.length >= fewestShared;
}

/** Terms of the words that any finding has. */
const sayingCause = new Set(
  termsOf(
    "cause caused root reason problem issue bug because due was is not found fixed turned out after all",
  ),
);
