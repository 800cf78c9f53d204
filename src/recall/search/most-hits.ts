/** How many hits one search gives at most. */
export const mostHits = 100;
