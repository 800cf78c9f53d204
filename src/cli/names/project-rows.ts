import { familyOf } from "../../operation/family-of.ts";
import { operations } from "../operations/operations.ts";
import type { Source } from "./stored-names.ts";

/*
 * Checks whether a project has actions, sketches or lessons. A project may have these without any session or memory; if
 * they were only filtered out of an answer, the project's name is right.
 */

type Look = (project: string, from: Source) => Promise<boolean>;

const work: Look = async (project, { call }) =>
  (await call(operations.listActions, { project, limit: 1 })).total > 0 ||
  (await call(operations.listSketches, { project, limit: 1 })).total > 0;

/** Lessons without a project apply to all projects, so they are listed for each and prove nothing. */
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

/** Whether the project has records of the kind that an operation works on. */
export async function hasProjectRows(operationId: string, project: string, from: Source): Promise<boolean> {
  return (await looks[familyOf(operationId)]?.(project, from)) ?? false;
}
