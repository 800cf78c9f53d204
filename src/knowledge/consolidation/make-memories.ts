import { candidatesOf, groupKey, groupsOf, planGroup } from "./concept-groups.ts";
import type { StepResult } from "./durable-steps.ts";
import type { PipelineContext } from "./services.ts";
import { unitName } from "./unit.ts";

const mostModelCalls = 10;
const stepPrefix = "memory ";

interface MadeMemories {
  /** One result for each group that a model was asked about. */
  readonly results: readonly StepResult[];
  /** The memories that were made, including new versions. */
  readonly memoryIds: string[];
}

/** Has the model make memories from the largest groups of observations of all units. */
export async function makeMemories({
  run,
  steps,
  groupsInWork,
  units,
}: PipelineContext): Promise<MadeMemories> {
  const results = steps.done(stepPrefix);
  if (run.model.isUsed) {
    const groups = [];
    for (const unit of units)
      for (const group of groupsOf(await candidatesOf(run, unit))) {
        const name = `${stepPrefix}${unitName(unit)} ${group.concept}`;
        // What is left of a group that an earlier attempt asked about waits for the next run.
        if (steps.isDone(name) || run.model.hasSettled({ about: groupKey(unit, group) })) continue;
        groups.push({ unit, group, name });
      }
    groups.sort((a, b) => b.group.size - a.group.size);
    for (const { unit, group, name } of groups.slice(0, Math.max(0, mostModelCalls - results.length))) {
      // Under the lock another run sees the group either unused or already marked as used.
      const made = await groupsInWork.runExclusive(name, () =>
        steps.take(name, () => planGroup(run, unit, group)),
      );
      results.push(made);
    }
  }
  const made = results.filter(({ counts }) => counts.memories === 1);
  return { results, memoryIds: made.flatMap(({ targetIds: [id] }) => id ?? []) };
}
