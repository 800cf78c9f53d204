export interface DryRunAnswer {
  /** True in the answer to a dry run. */
  readonly dryRun?: boolean | undefined;
}

/** The verb for what was done, or for a dry run what would be done: `deleted`, `would delete`. */
export function dryRunVerb({ dryRun }: DryRunAnswer, done: string, would: string): string {
  return dryRun === true ? `would ${would}` : done;
}

/** Printed below such sentences. */
export const nothingChanged = "nothing was changed";
