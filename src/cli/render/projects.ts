import type { listProjects, moveProject, separateProject } from "../../capture/projects/operations.ts";
import type { ProjectPlace } from "../../capture/projects/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderProjects(answer: OutputOf<typeof listProjects>, terminal: Terminal): string {
  return pageLines(answer, answer.projects, terminal, "no projects yet", (project) => [
    terminal.paint.bold(headOf(project)),
    `${counted(project.sessionCount, "session")}, ${counted(project.memoryCount, "memory", "memories")}`,
    shownTime(project.lastActiveAt, terminal.isForPeople),
    terminal.paint.dim(alsoIn(project)),
  ]);
}

export function renderMovedProject({ moved }: OutputOf<typeof moveProject>): string {
  return `moved ${headOf(moved)}: ${alsoIn(moved)}`;
}

export function renderSeparated({ left }: OutputOf<typeof separateProject>): string {
  return [`separated from ${headOf(left)}`, alsoIn(left)].filter((text) => text !== "").join(", ");
}

/** The folder that exists, or the first one if none is known to exist. */
function headOf({ project, presentFolder }: ProjectPlace): string {
  return presentFolder ?? project;
}

function alsoIn({ project, folders, presentFolder }: ProjectPlace): string {
  if (presentFolder !== undefined)
    return `earlier in ${[project, ...folders.filter((folder) => folder !== presentFolder)].join(", ")}`;
  return folders.length === 0 ? "" : `also in ${folders.join(", ")}`;
}
