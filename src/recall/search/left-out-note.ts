/** The part of an answer that tells how complete it is; its types are not known where the answer is any tool's. */
interface Searched {
  readonly results?: unknown;
  readonly leftOut?: unknown;
}

/**
 * What has to be said of a search that left out streams, because its answer could be taken for all there is. Words find
 * most; similar texts matter if nothing else was found; and what is related to the words is seldom found without them.
 */
export function leftOutNote({ results, leftOut }: Searched): string | undefined {
  const names: readonly unknown[] = Array.isArray(leftOut) ? leftOut : [];
  const hasHits = Array.isArray(results) && results.length > 0;
  const missed = [
    ...(names.includes("keyword") ? ["words"] : []),
    ...(names.includes("lessons") && !names.includes("keyword") ? ["lessons"] : []),
    ...(names.includes("vector") && !hasHits ? ["similar texts"] : []),
  ];
  return missed.length === 0
    ? undefined
    : `${missed.join(" and ")} could not be searched just now: search again`;
}
