import { checkpointExpiry, checkpointLength } from "./checkpoints/expiry.ts";
import type { ExpiryStep } from "./clockwork.ts";
import { leaseExpiry, leaseLength } from "./leases/expiry.ts";
import { sentinelExpiry, sentinelLength } from "./sentinels/expiry.ts";
import { sketchExpiry, sketchLength } from "./sketches/discard.ts";

/** The expiry steps of coordination, in the order in which they run. */
export const expirySteps: readonly ExpiryStep[] = [
  leaseLength,
  leaseExpiry,
  checkpointLength,
  checkpointExpiry,
  sentinelLength,
  sentinelExpiry,
  sketchLength,
  sketchExpiry,
];
