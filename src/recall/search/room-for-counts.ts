/** Characters that an answer takes beside its results. */
export const roomForCounts = 500;
