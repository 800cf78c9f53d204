import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { Project, ProjectPlace } from "./record.ts";

export const listProjects = defineOperation({
  id: "projects.list",
  summary: "List the projects that have sessions or memories, the last active first",
  http: { method: "GET", path: "/projects", success: 200 },
  cli: { command: "project list", examples: ["memsvc project list", "memsvc project list --limit 5 --json"] },
  input: z.object({
    limit: limit(100, 1_000).describe("how many at most"),
    offset: Offset.describe("projects to pass over"),
    ...scopeFields,
  }),
  output: z.object({ projects: z.array(Project).describe("last active first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.projectFolders.list(input),
});

export const moveProject = defineOperation({
  id: "projects.move",
  functionId: "project.move",
  summary: "Record that a project is in another folder now, so that it is found from there",
  description:
    "After its folder was moved or renamed. Nothing that is stored changes: the new folder stands for the old one, and what the new one holds already is found with it.",
  http: { method: "POST", path: "/projects/move", success: 200 },
  cli: {
    command: "project move <from> <to>",
    examples: ["memsvc project move ~/code/shop ~/work/store", "memsvc project move ~/code/shop ."],
  },
  input: z.object({
    from: ProjectName.describe("folder that the project was in"),
    to: ProjectName.describe("folder that it is in now"),
  }),
  output: z.object({ moved: ProjectPlace.describe("where the project is now") }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => ({ moved: await core.projectFolders.move(input, caller) }),
});

export const separateProject = defineOperation({
  id: "projects.separate",
  functionId: "project.separate",
  summary: "Make a folder a project of its own again",
  description:
    "Undoes a move to it. What was stored from there meanwhile stays with the project that it stood for.",
  http: { method: "POST", path: "/projects/separate", success: 200 },
  cli: {
    command: "project separate <folder>",
    examples: ["memsvc project separate ~/work/store", "memsvc project separate ."],
  },
  input: z.object({ folder: ProjectName.describe("folder that stands for another") }),
  output: z.object({ left: ProjectPlace.describe("the project that it stood for, as it is now") }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input, caller) => ({ left: await core.projectFolders.separate(input, caller) }),
});

export const projectOperations = [listProjects, moveProject, separateProject];
