/** How many hits one search gives at most. */
export const mostHits = 100;

/** How many records one search shows in full at most. */
export const mostExpanded = 20;
