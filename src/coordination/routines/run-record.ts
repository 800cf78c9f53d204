import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { type ActionRow, isFinished } from "../actions/record.ts";
import type { routineRuns } from "./tables.ts";

const RunStatus = z.enum(["running", "completed", "failed", "paused"]);
type RunStatus = z.infer<typeof RunStatus>;

const StepStatus = z.enum(["pending", "active", "done", "failed", "blocked"]);

export const RoutineRun = z
  .object({
    id: z.string().describe("id of the run"),
    routineId: z.string().describe("routine that is run"),
    status: RunStatus.describe(
      "running; completed when all is finished and something was done, failed when nothing was; paused while all that is left is blocked by hand",
    ),
    startedAt: TimeText.describe("when it began"),
    completedAt: TimeText.optional().describe("when the last of its actions was finished"),
    actionIds: z.array(z.string()).describe("its actions, in the order of the steps"),
    stepStatus: z.record(z.string(), StepStatus).describe("how each step stands, by its order"),
    initiatedBy: z.string().optional().describe("agent that started it"),
    project: z.string().optional().describe("project that its actions belong to"),
  })
  .meta({ id: "RoutineRun" });
export type RoutineRun = z.infer<typeof RoutineRun>;

export type RunRow = typeof routineRuns.$inferSelect;

/** A run as answers show it; its status follows from its actions. */
export function runRecord(row: RunRow, actions: readonly ActionRow[]): RoutineRun {
  const status = statusOf(actions);
  const byId = new Map(actions.map((action) => [action.id, action]));
  const stepStatus = row.steps.flatMap(({ order, actionId }) => {
    const action = byId.get(actionId);
    if (action === undefined) return [];
    return [[String(order), action.status === "cancelled" ? "failed" : action.status] as const];
  });
  const finishes = actions.flatMap(({ completedAt }) => completedAt ?? []);
  const isOver = (status === "completed" || status === "failed") && finishes.length > 0;
  return recordOf({
    id: row.id,
    routineId: row.routineId,
    status,
    startedAt: timeText(row.startedAt),
    ...(isOver ? { completedAt: timeText(Math.max(...finishes)) } : {}),
    actionIds: row.steps.map(({ actionId }) => actionId),
    stepStatus: Object.fromEntries(stepStatus),
    initiatedBy: row.initiatedBy,
    project: row.project,
  });
}

function statusOf(actions: readonly ActionRow[]): RunStatus {
  const left = actions.filter((action) => !isFinished(action));
  if (left.length === 0) return actions.some(({ status }) => status === "done") ? "completed" : "failed";
  return left.every(({ blockReason }) => blockReason === "manual") ? "paused" : "running";
}

/** The number of a run's actions by status. */
export function progressOf(actions: readonly ActionRow[]) {
  const count = (wanted: ActionRow["status"]) => actions.filter(({ status }) => status === wanted).length;
  return {
    total: actions.length,
    done: count("done"),
    active: count("active"),
    pending: count("pending"),
    blocked: count("blocked"),
    cancelled: count("cancelled"),
  };
}
