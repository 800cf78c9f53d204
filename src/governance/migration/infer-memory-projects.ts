import type { Ground } from "../../ground.ts";
import { assignProjects, inferProjects } from "../../knowledge/memories/project-inference.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { InferredProjects } from "./answers.ts";

/**
 * Assigns a project to memories that have none: that of the sessions of their source observations, if these
 * agree.
 */
export async function inferMemoryProjects(
  ground: Ground,
  { audit }: { readonly audit: Audit },
  dryRun: boolean,
  by: AskedBy,
): Promise<InferredProjects> {
  const { store } = ground;
  const step = "infer-memory-projects";
  if (dryRun) {
    const { inferred, skipped, ambiguous } = await inferProjects(store.read);
    return { step, updated: inferred.length, skipped, ambiguous, dryRun };
  }
  return store.write(async (tx) => {
    const { inferred, skipped, ambiguous } = await inferProjects(tx);
    const counts = { updated: inferred.length, skipped, ambiguous };
    if (inferred.length > 0) {
      await assignProjects(tx, ground, inferred);
      const targetIds = inferred.map(({ id }) => id);
      const details = { step, ...counts };
      const entry = { operation: "migrate", functionId: "store.migrate", targetIds, details } as const;
      await audit.recordUnscoped(tx, by, entry);
    }
    return { step, ...counts, dryRun };
  });
}
