import { unifiedDiff } from "../../text/unified-diff.ts";
import type { PlannedFile } from "./plan.ts";

/** The changes of a plan as unified diffs, one per changed file. */
export function plannedDiffs(
  plan: readonly PlannedFile[],
): { readonly path: string; readonly diff: string }[] {
  return plan
    .filter(({ isChanged }) => isChanged)
    .map(({ file: { path, text }, after }) => {
      const diff = unifiedDiff(path, text, after?.toString());
      return { path, diff: diff ?? `${path} would change throughout\n` };
    });
}
