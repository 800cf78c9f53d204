import type { DemoReport } from "./report.ts";

/** What the demo found out, and what became of its store. */
export interface DemoOutcome extends DemoReport {
  /** Folder of the scratch store, where it was kept on request. */
  readonly home?: string;
  /** Whether nothing is left of the scratch store. */
  readonly removed: boolean;
}

/** Every question answered, no secret in the store, and the store gone unless it was to stay. */
export function isSuccess({ answered, questions, secrets, home, removed }: DemoOutcome): boolean {
  return answered === questions.length && secrets.stored === 0 && (removed || home !== undefined);
}
