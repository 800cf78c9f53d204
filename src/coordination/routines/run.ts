import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Transaction } from "../../store/store.ts";
import { createAction } from "../actions/create-action.ts";
import { actionsByIds } from "../actions/find-actions.ts";
import { mergedMetadata } from "../actions/metadata.ts";
import type { ActionRow } from "../actions/record.ts";
import type { ActionTemplate, RoutineRow, RoutineStep, StepAction } from "./record.ts";
import type { RunRow } from "./run-record.ts";
import { topologicalOrder } from "./steps.ts";
import { routineRuns } from "./tables.ts";

/** What actions of a run get in place of what the routine says, by the `order` of their step. */
export type Overrides = Readonly<Record<string, ActionTemplate>>;

export interface RunRequest {
  readonly project?: string | undefined;
  readonly initiatedBy?: string | undefined;
  readonly overrides: Overrides;
}

/**
 * Creates an action for every step inside the caller's transaction; each requires the actions of the steps
 * that its step depends on.
 */
export async function startRun(
  tx: Transaction,
  ground: Ground,
  projects: Projects,
  routine: RoutineRow,
  { project, initiatedBy, overrides }: RunRequest,
): Promise<{ run: RunRow; actions: ActionRow[] }> {
  refuseStrange(routine, overrides);
  const startedAt = ground.now();
  const runId = ground.newId("routineRun");
  const actionIds = new Map<number, string>();
  for (const step of topologicalOrder(routine.steps)) {
    const { metadata, ...fields } = fieldsOf(step, overrides[String(step.order)]);
    const { action } = await createAction(tx, ground, projects, {
      ...fields,
      project,
      createdBy: initiatedBy,
      metadata: mergedMetadata(metadata, { runId, step: step.order }),
      edges: step.dependsOn.flatMap((order) => {
        const targetActionId = actionIds.get(order);
        return targetActionId === undefined ? [] : [{ type: "requires", targetActionId }];
      }),
    });
    actionIds.set(step.order, action.id);
  }
  const steps = routine.steps.flatMap(({ order }): StepAction[] => {
    const actionId = actionIds.get(order);
    return actionId === undefined ? [] : [{ order, actionId }];
  });
  const run: RunRow = {
    id: runId,
    routineId: routine.id,
    startedAt,
    steps,
    initiatedBy: initiatedBy ?? null,
    project: project ?? null,
  };
  await tx.orm.insert(routineRuns).values(run);
  const actions = await actionsByIds(
    tx,
    steps.map(({ actionId }) => actionId),
  );
  return { run, actions };
}

/** The override wins over the template of the step, and the template over the step itself. */
function fieldsOf(step: RoutineStep, override: ActionTemplate = {}) {
  const { title, description, actionTemplate: template } = step;
  return {
    title: override.title ?? template.title ?? title,
    description: override.description ?? template.description ?? description,
    priority: override.priority ?? template.priority,
    tags: override.tags ?? template.tags,
    assignedTo: override.assignedTo ?? template.assignedTo,
    metadata: mergedMetadata(template.metadata, override.metadata),
  };
}

function refuseStrange({ steps }: RoutineRow, overrides: Overrides): void {
  const orders = steps.map(({ order }) => String(order));
  const strange = Object.keys(overrides).filter((order) => !orders.includes(order));
  if (strange.length === 0) return;
  throw new MemsvcError(
    "invalid_input",
    `the routine has no step ${strange.slice(0, 3).join(", ")} to override`,
    {
      hint: `its steps are ${orders.join(", ")}`,
      issues: strange.map((order) => ({ path: `overrides.${order}`, message: `there is no step ${order}` })),
    },
  );
}
