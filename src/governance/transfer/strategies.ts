/** What happens to a row that the store has already. */
export const importStrategies = ["merge", "replace", "skip"] as const;
export type ImportStrategy = (typeof importStrategies)[number];
