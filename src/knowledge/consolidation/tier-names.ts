/** The tiers, in the order in which they run. */
export const tierNames = ["working", "episodic", "semantic", "reflect", "procedural", "decay"] as const;
export type TierName = (typeof tierNames)[number];

/** The tiers that run around the making of memories. */
export const memoryTiers = ["working", "episodic", "semantic", "procedural"] as const;
