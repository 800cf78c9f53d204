import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import { Actions } from "./actions/actions.ts";
import { Checkpoints } from "./checkpoints/checkpoints.ts";
import { Clockwork } from "./clockwork.ts";
import { expirySteps } from "./expiry-steps.ts";
import { Facets } from "./facets/facets.ts";
import { Leases } from "./leases/leases.ts";
import { Routines } from "./routines/routines.ts";
import { Sentinels } from "./sentinels/sentinels.ts";
import { Signals } from "./signals/signals.ts";
import { Sketches } from "./sketches/sketches.ts";

/** The services that say who does what next. */
export interface CoordinationServices {
  readonly clockwork: Clockwork;
  readonly actions: Actions;
  readonly leases: Leases;
  readonly sketches: Sketches;
  readonly sentinels: Sentinels;
  readonly routines: Routines;
  readonly signals: Signals;
  readonly checkpoints: Checkpoints;
  readonly facets: Facets;
}

export const coordinationServices = (ground: Ground, core: Core): Makers<CoordinationServices> => ({
  clockwork: () => new Clockwork(ground, core, expirySteps),
  actions: () => new Actions(ground, core),
  leases: () => new Leases(ground, core),
  sketches: () => new Sketches(ground, core),
  sentinels: () => new Sentinels(ground, core),
  routines: () => new Routines(ground, core),
  signals: () => new Signals(ground, core),
  checkpoints: () => new Checkpoints(ground, core),
  facets: () => new Facets(ground, core),
});
