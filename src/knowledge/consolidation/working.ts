import {
  type CompressionServices,
  compressSome,
} from "../../capture/observations/by-model/compression-job.ts";
import { isCompressedByModel, pendingOf } from "../../capture/observations/by-model/compression-queue.ts";
import { completeObservations, incompleteOf } from "../../capture/observations/reads/completion.ts";
import type { View } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import type { Plan } from "./durable-steps.ts";
import type { Run } from "./services.ts";

const mostModelCalls = 10;

/**
 * Completes observations: those that wait for a model are compressed by it, incomplete ones are completed by
 * rules.
 */
export async function planWorking(run: Run, view: View): Promise<Plan> {
  const { ground, services, model } = run;
  const { sql } = ground.store.read;
  const before = await pendingOf(sql, view);
  let warning: string | undefined;
  if (model.isUsed && isCompressedByModel(ground))
    warning = await compressPending(ground, services, before, (error) => model.failure(error));
  const after = await pendingOf(sql, view);
  const incomplete = await incompleteOf(sql, view);
  const llmCompressed = Math.max(0, total(before) - total(after));
  const sessions = await services.sessions.byIds(
    await services.observations.sessionsOf(ground.store.read, incomplete),
  );
  return async (tx) => {
    const completed = await completeObservations(tx, ground, incomplete, sessions);
    return {
      counts: { processed: completed.length + llmCompressed, llmCompressed, pending: total(after) },
      provider: llmCompressed > 0 ? model.provider : "extractive",
      targetIds: completed,
      warning,
    };
  };
}

/** Makes at most ten calls. Returns the reason if it ended early. */
async function compressPending(
  ground: Ground,
  services: CompressionServices,
  pending: ReadonlyMap<string, number>,
  failure: (error: unknown) => string,
): Promise<string | undefined> {
  let calls = 0;
  try {
    for (const sessionId of pending.keys())
      while (calls < mostModelCalls && (await compressSome(ground, services, sessionId))) calls += 1;
  } catch (error) {
    return `compressions wait: ${failure(error)}`;
  }
  return undefined;
}

function total(pending: ReadonlyMap<string, number>): number {
  return [...pending.values()].reduce((sum, count) => sum + count, 0);
}
