import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Ground } from "../../ground.ts";
import type { Job } from "../../jobs/jobs.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { type AutoCrystals, makeCrystals } from "./auto-crystals.ts";
import { type CrystalServices, type MadeCrystal, makeCrystal } from "./make-crystal.ts";
import { type Crystal, crystalRecord } from "./record.ts";
import { crystals } from "./tables.ts";

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

/** Makes the crystal that a job asks for. */
export async function runCreate(
  ground: Ground,
  services: CrystalServices,
  { id, payload, attempts }: Job,
): Promise<MadeCrystal> {
  const wish = CreatePayload.parse(payload);
  try {
    return await makeCrystal(ground, services, { ...wish, functionId: "crystal.create", jobId: id });
  } catch (error) {
    if (attempts === 1 || !isMemsvcError(error, "conflict")) throw error;
    // An earlier attempt that was interrupted after its commit has made the crystal.
    const made = await crystalOf(ground, wish.actionIds);
    if (made === undefined) throw error;
    return { crystal: made };
  }
}

/** Makes crystals of all groups. Actions that an interrupted attempt condensed are in no group any more. */
export function runAuto(
  ground: Ground,
  services: CrystalServices,
  { id, payload }: Job,
): Promise<AutoCrystals> {
  return makeCrystals(ground, services, { ...AutoPayload.parse(payload), jobId: id });
}

async function crystalOf({ store }: Ground, actionIds: readonly string[]): Promise<Crystal | undefined> {
  const [row] = await store.read.orm
    .select()
    .from(crystals)
    .where(eq(crystals.sourceActionIds, [...new Set(actionIds)]));
  return row === undefined ? undefined : crystalRecord(row);
}
