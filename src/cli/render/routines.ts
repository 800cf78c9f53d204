import type {
  listRoutines,
  runRoutine,
  saveRoutine,
  showRoutineRun,
} from "../../coordination/routines/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { counted, moreAfter } from "./quantity.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderSavedRoutine(
  { routine, created }: OutputOf<typeof saveRoutine>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return routine.id;
  const facts = `${counted(routine.steps.length, "step")}${routine.frozen ? ", frozen" : ""}`;
  return `${paint.green(created ? "saved" : "replaced")} ${routine.id}\n${paint.dim(`  ${facts}`)}`;
}

export function renderRoutines(
  { routines, ...page }: OutputOf<typeof listRoutines>,
  { paint, isForPeople, columns }: Terminal,
): string {
  if (routines.length === 0) return "no routines";
  const rows = routines.map(({ id, name, steps, frozen, createdAt }) => {
    const marks = [
      counted(steps.length, "step"),
      ...(frozen ? ["frozen"] : []),
      shownTime(createdAt, isForPeople),
    ];
    return [id, { whole: name }, paint.dim(marks.join(", "))];
  });
  return [...inColumns(rows, { isForPeople, columns }), ...moreAfter(page, routines, paint)].join("\n");
}

export function renderStartedRun(
  { run, actions }: OutputOf<typeof runRoutine>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return run.id;
  return [`${paint.green("began")} ${run.id}`, ...actionLines(actions, paint)].join("\n");
}

export function renderRun(
  { run, actions, progress }: OutputOf<typeof showRoutineRun>,
  { paint }: Terminal,
): string {
  const head = `${run.id} ${run.status}, ${progress.done} of ${counted(progress.total, "action")} done`;
  return [head, ...actionLines(actions, paint)].join("\n");
}

function actionLines(
  actions: OutputOf<typeof showRoutineRun>["actions"],
  paint: Terminal["paint"],
): string[] {
  return actions.map(
    ({ id, title, status }) => `  ${status.padEnd(9)}  ${oneLine(title, 60)}  ${paint.dim(id)}`,
  );
}
