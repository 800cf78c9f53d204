import type {
  listRoutines,
  runRoutine,
  saveRoutine,
  showRoutineRun,
} from "../../coordination/routines/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderSavedRoutine(
  { routine, created }: OutputOf<typeof saveRoutine>,
  terminal: Terminal,
): string {
  const facts = `${counted(routine.steps.length, "step")}${routine.frozen ? ", frozen" : ""}`;
  return outcome(terminal, created ? "saved" : "replaced", routine.id, { notes: [facts] });
}

export function renderRoutines(
  { routines, ...page }: OutputOf<typeof listRoutines>,
  terminal: Terminal,
): string {
  return pageLines(
    page,
    routines,
    terminal,
    "no routines found",
    ({ id, name, steps, frozen, createdAt }) => {
      const marks = [
        counted(steps.length, "step"),
        ...(frozen ? ["frozen"] : []),
        shownTime(createdAt, terminal.isForPeople),
      ];
      return [id, { whole: name }, terminal.paint.dim(marks.join(", "))];
    },
  );
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
