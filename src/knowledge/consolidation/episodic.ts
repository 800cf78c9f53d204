import type { View } from "../../capture/sessions/view.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { summaryStates } from "../summaries/summary-states.ts";
import type { Plan } from "./durable-steps.ts";
import type { Run } from "./services.ts";

const mostSessions = 50;

/** Summarizes sessions from their observations; each summary has an audit entry of its own. */
export async function planEpisodic(run: Run, view: View): Promise<Plan> {
  const { services, model, ground, background } = run;
  const states = await summaryStates(ground.store.read.sql, view, mostSessions);
  const targetIds: string[] = [];
  const warnings = new Set<string>();
  let skipped = states.empty;
  let provider = "extractive";
  for (const sessionId of states.outdated) {
    try {
      const made = await services.summaries.summarize(
        { sessionId, agentId: "*" },
        { background, byRules: !model.isUsed },
      );
      targetIds.push(sessionId);
      if (made.provider !== "extractive") ({ provider } = made);
      if (made.warning !== undefined) warnings.add(made.warning);
    } catch (error) {
      // The session or all its observations were forgotten meanwhile.
      if (!isMemsvcError(error, "not_found") && !isMemsvcError(error, "conflict")) throw error;
      skipped += 1;
    }
  }
  const [warning] = warnings;
  return async () => ({
    counts: { summarized: targetIds.length, alreadySummarized: states.current, skipped },
    provider,
    targetIds,
    ...(warning === undefined ? {} : { warning: `summaries: ${warning}` }),
  });
}
