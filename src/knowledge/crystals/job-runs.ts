import * as z from "zod";
import type { Ground } from "../../ground.ts";
import type { Job } from "../../jobs/jobs.ts";
import { type AutoCrystals, makeCrystals } from "./auto-crystals.ts";
import { type CrystalServices, type MadeCrystal, makeCrystal } from "./make-crystal.ts";

const CreatePayload = z.object({
  actionIds: z.array(z.string()),
  project: z.string().optional(),
  sessionId: z.string().optional(),
  agentId: z.string().optional(),
});

const AutoPayload = z.object({
  olderThanDays: z.number(),
  project: z.string().optional(),
  agentId: z.string().optional(),
});

/** Makes the crystal that a job asks for. If an interrupted attempt made it, this is refused as a conflict. */
export function runCreate(
  ground: Ground,
  services: CrystalServices,
  { id, payload }: Job,
): Promise<MadeCrystal> {
  const wish = CreatePayload.parse(payload);
  return makeCrystal(ground, services, { ...wish, functionId: "crystal.create", jobId: id });
}

/** Makes crystals of all groups. Actions that an interrupted attempt condensed are in no group any more. */
export function runAuto(
  ground: Ground,
  services: CrystalServices,
  { id, payload }: Job,
): Promise<AutoCrystals> {
  return makeCrystals(ground, services, { ...AutoPayload.parse(payload), jobId: id });
}
