import { unifiedDiff } from "../../text/unified-diff.ts";
import type { PlannedFile } from "./plan.ts";

/** What a planned write changes, as a unified diff. */
export function plannedDiff({ file, after }: PlannedFile): string {
  return unifiedDiff(file.path, file.text, after?.toString()) ?? `${file.path} would change throughout\n`;
}
