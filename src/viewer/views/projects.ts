import type { Project } from "../../capture/projects/record.ts";
import { type Child, h } from "../element.ts";
import { counted } from "../format.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { timed } from "../parts/time.ts";
import { linkTo } from "../route.ts";
import type { View } from "../view.ts";

export const projects: View = {
  name: "projects",
  label: "Projects",
  show: async (reader, route) => {
    const answer = await reader.get("/projects", pageOf(route));
    return {
      title: "Projects",
      body: listOf(route, answer, answer.projects.map(projectRow), {
        unit: ["project", "projects"],
        order: "last active first",
        nothing: [
          "No project is known yet. A session belongs to the project of its folder; for a memory, name it:",
          'memsvc remember "Deploys go through staging first" --project shop',
        ],
      }),
    };
  },
};

function projectRow(shown: Project): Child {
  return [
    h("h3", {}, h("a", { href: linkTo("project", shown.project) }, projectName(shown))),
    line(extentOf(shown)),
  ];
}

/** The name that people use for a project; its folder if it has no other. */
export function projectName({ project, names }: Project): string {
  return names[0] ?? project;
}

/** Where a project is, how much is stored of it, and when that was last added to. */
export function extentOf(shown: Project): Child {
  const { project, folders, sessionCount, memoryCount, lastActiveAt } = shown;
  return [
    [project, ...folders]
      .filter((place) => place !== projectName(shown))
      .map((place) => h("code", {}, place)),
    counted(sessionCount, "session"),
    counted(memoryCount, "memory", "memories"),
    timed("last active", lastActiveAt),
  ];
}
