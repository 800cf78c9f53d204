import type { Project } from "../../capture/projects/record.ts";
import type { ProjectProfile } from "../../knowledge/profiles/record.ts";
import type { Replies } from "../answers.ts";
import type { Reader } from "../api.ts";
import { type Child, h } from "../element.ts";
import { counted } from "../format.ts";
import { tagChips } from "../parts/chips.ts";
import { pathList } from "../parts/code.ts";
import { itemList } from "../parts/item-list.ts";
import { line, note } from "../parts/line.ts";
import { detailList, section } from "../parts/section.ts";
import { linkTo } from "../route.ts";
import type { View } from "../view.ts";
import { extentOf, projectName } from "./projects.ts";

/** Of one request. */
const projectsRead = 1_000;

/** Views with a filter by project. */
const views = "memories sessions lessons insights facts procedures slots graph frontier actions".split(" ");

/** What a project is about, and what an agent is told when it starts to work there. */
export const project: View = {
  name: "project",
  under: "projects",
  show: async (reader, { id }) => {
    const [shown, profile, block] = await Promise.all([
      findProject(reader, id),
      reader.get("/profile", { project: id }),
      // Leaves out what the session itself did, which is nothing for one that does not exist.
      reader.post("/context", { sessionId: "viewer", project: id }),
    ]);
    return {
      title: shown === undefined ? id : projectName(shown),
      body: [
        line(
          shown === undefined ? "nothing is stored under this name" : extentOf(shown),
          counted(profile.totalObservations, "observation"),
        ),
        line(
          "Only of it:",
          itemList({ class: "plain across", "aria-label": "Only of this project" }, views, (view) =>
            h("a", { href: linkTo(view, "", { project: id }) }, view),
          ),
        ),
        section("What it is about", about(profile)),
        section("What an agent is told at its start", told(block)),
      ],
    };
  },
};

/** The project with this folder or name; undefined for none. */
async function findProject(reader: Reader, id: string): Promise<Project | undefined> {
  for (let offset = 0; ; offset += projectsRead) {
    const { projects, total } = await reader.get("/projects", { limit: projectsRead, offset });
    const found = projects.find(({ project, names }) => project === id || names.includes(id));
    if (found !== undefined || offset + projectsRead >= total) return found;
  }
}

function about({ sessionCount, topConcepts, topFiles, conventions, commonErrors }: ProjectProfile): Child {
  if (sessionCount === 0) return note("No session has worked in it yet.");
  const list = (lines: readonly string[]) =>
    lines.length > 0 && itemList({ class: "plain" }, lines, (one) => one);
  return detailList([
    [
      "Concepts",
      tagChips(
        topConcepts.map(({ concept }) => concept),
        "Concepts",
      ),
    ],
    [
      "Files",
      pathList(
        topFiles.map(({ file }) => file),
        "Files",
      ),
    ],
    ["Conventions", list(conventions)],
    ["Errors", list(commonErrors)],
  ]);
}

function told({ context, tokens, truncated }: Replies["/context"]): Child {
  if (context === "") return note("Nothing yet: what it does, and what is remembered, will be told here.");
  return [
    note(counted(tokens, "token"), truncated && ", as many as fit; the least important was left out"),
    h("pre", { class: "content card" }, context),
  ];
}
