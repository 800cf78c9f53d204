import type { DemoReport } from "./report.ts";

/** The demo's findings, and what became of its store. */
export interface DemoOutcome extends DemoReport {
  /** Folder of the scratch store, if it was kept on request. */
  readonly home?: string;
  /** Whether the scratch store was removed completely. */
  readonly removed: boolean;
}

/** Success: every question answered, no secret in the store, and the store removed unless it was to be kept. */
export function isSuccess({ answered, questions, secrets, home, removed }: DemoOutcome): boolean {
  return answered === questions.length && secrets.stored === 0 && (removed || home !== undefined);
}
