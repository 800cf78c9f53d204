import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { Project, ProjectPlace } from "./record.ts";

export const listProjects = defineOperation({
  id: "projects.list",
  summary: "List the projects that have sessions or memories, most recently active first",
  http: { method: "GET", path: "/projects", success: 200 },
  cli: { command: "project list", examples: ["memsvc project list", "memsvc project list --limit 5 --json"] },
  input: z.object({
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("projects to skip"),
    ...scopeFields,
  }),
  output: z.object({ projects: z.array(Project).describe("most recently active first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.projectFolders.list(input),
});

export const moveProject = defineOperation({
  id: "projects.move",
  functionId: "project.move",
  summary: "Record that a project's folder was moved, so that the project is found from the new one",
  description:
    "Use it after a folder was moved or renamed. Nothing stored changes: the new folder stands for the old one, and what was already stored for the new one is found together with it.",
  http: { method: "POST", path: "/projects/move", success: 200 },
  cli: {
    command: "project move <from> <to>",
    examples: ["memsvc project move ~/code/shop ~/code/store", "memsvc project move ~/code/shop ."],
  },
  input: z.object({
    from: ProjectName.describe("old folder of the project"),
    to: ProjectName.describe("new folder of the project"),
  }),
  output: z.object({ moved: ProjectPlace.describe("where the project is now") }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => ({ moved: await core.projectFolders.move(input, caller) }),
});

export const separateProject = defineOperation({
  id: "projects.separate",
  functionId: "project.separate",
  summary: "Undo a move: make a folder a separate project again",
  description: "What was stored from the folder since the move stays with the project that it stood for.",
  http: { method: "POST", path: "/projects/separate", success: 200 },
  cli: {
    command: "project separate <folder>",
    examples: ["memsvc project separate ~/code/store", "memsvc project separate ."],
  },
  input: z.object({ folder: ProjectName.describe("folder that the project was moved to") }),
  output: z.object({ left: ProjectPlace.describe("the project that it stood for, after the change") }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input, caller) => ({ left: await core.projectFolders.separate(input, caller) }),
});

export const projectOperations = [listProjects, moveProject, separateProject];
