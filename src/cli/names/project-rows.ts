import { operations } from "../operations/operations.ts";
import type { Source } from "./stored-names.ts";

/*
 * Work and lessons can be of a project that no session or memory is of. Where all of them are finished, or filtered
 * out, the project was spelled right.
 */

type Look = (project: string, from: Source) => Promise<boolean>;

const work: Look = async (project, { call }) =>
  (await call(operations.listActions, { project, limit: 1 })).total > 0 ||
  (await call(operations.listSketches, { project, limit: 1 })).total > 0;

/** Those of no project hold in all of them, so they are among a project's and show nothing. */
const lessons: Look = async (project, { call, view }) =>
  (await call(operations.listLessons, { ...view, project, limit: 500 })).lessons.some(
    (lesson) => lesson.project !== undefined,
  );

const either: Look = async (project, from) => (await lessons(project, from)) || (await work(project, from));

const looks: Readonly<Record<string, Look>> = {
  search: either,
  context: either,
  actions: work,
  sketches: work,
  crystals: work,
  flow: work,
  lessons,
};

/** Whether there is something of the project of the kind that an operation works on. */
export async function hasProjectRows(operationId: string, project: string, from: Source): Promise<boolean> {
  const [family = ""] = operationId.split(".");
  return (await looks[family]?.(project, from)) ?? false;
}
