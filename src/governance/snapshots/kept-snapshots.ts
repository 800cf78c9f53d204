import type { Manifest } from "./record.ts";

const safetyKept = 10;

/** Whether a snapshot is dated in the future: it was made before the clock was set back. */
export function isDatedAhead({ createdAt }: Manifest, now: number): boolean {
  return Date.parse(createdAt) > now;
}

/**
 * The oldest timed and safety snapshots beyond the number to keep; manual ones are never among them. `manifests` come
 * newest first. Those that are dated in the future count as older than the others, which were made since.
 */
export function beyondKept(
  manifests: readonly Manifest[],
  { timersKept, now }: { readonly timersKept: number; readonly now: number },
): Manifest[] {
  const isAhead = (manifest: Manifest) => Number(isDatedAhead(manifest, now));
  const inOrderOfMaking = manifests.toSorted((a, b) => isAhead(a) - isAhead(b));
  const ofKind = (kind: Manifest["kind"]) => inOrderOfMaking.filter((manifest) => manifest.kind === kind);
  return [...ofKind("timer").slice(timersKept), ...ofKind("safety").slice(safetyKept)];
}
