import { checkpointExpiry } from "./checkpoints/expiry.ts";
import type { ExpiryStep } from "./clockwork.ts";
import { leaseExpiry } from "./leases/expiry.ts";
import { sentinelExpiry } from "./sentinels/expiry.ts";
import { sketchExpiry } from "./sketches/discard.ts";

/** What time does to coordination, in the order in which it is done. */
export const expirySteps: readonly ExpiryStep[] = [
  leaseExpiry,
  checkpointExpiry,
  sentinelExpiry,
  sketchExpiry,
];
