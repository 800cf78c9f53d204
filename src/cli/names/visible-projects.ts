import type { EntryCall } from "../callers/caller.ts";
import { operations } from "../operations/operations.ts";
import type { View } from "./visible-rows.ts";

const mostProjects = 1_000;

/** The projects that a view shows, the last active ones if there are very many. */
export async function visibleProjects(call: EntryCall, view: View) {
  return (await call(operations.listProjects, { limit: mostProjects, ...view })).projects;
}
