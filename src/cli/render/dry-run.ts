export interface DryRunAnswer {
  /** True in the answer of a dry run. */
  readonly dryRun?: boolean | undefined;
}

/** The verb of a sentence about what was done, or in a dry run about what would be: `deleted`, `would delete`. */
export function dryRunVerb({ dryRun }: DryRunAnswer, done: string, would: string): string {
  return dryRun === true ? `would ${would}` : done;
}

/** What stands below the last of such sentences. */
export const nothingChanged = "nothing was changed";
