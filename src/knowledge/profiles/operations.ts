import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Path, ProjectName, scopeFields } from "../../operation/fields.ts";
import { ProjectProfile } from "./record.ts";

export const getProfile = defineOperation({
  id: "profiles.get",
  summary: "Show what a project is about: its concepts, files, conventions and errors",
  description: "Computed on demand and kept for an hour, or until a session of the project ends.",
  http: { method: "GET", path: "/profile", success: 200 },
  cli: {
    command: "profile [project]",
    examples: ["memsvc profile", "memsvc profile shop --refresh --json"],
  },
  mcp: {
    tool: "memory_profile",
    effects: "read",
    title: "Profile of a project",
    description:
      "Show what a project is about: its concepts, most used files, conventions and common errors. Use it when a project is new to you.",
    arguments: { project: true, refresh: true },
  },
  input: z.object({
    project: ProjectName.describe("project name or path"),
    refresh: z.boolean().optional().describe("recompute it"),
    cwd: Path.optional().describe("working directory; distinguishes projects of the same name"),
    ...scopeFields,
  }),
  output: ProjectProfile.extend({
    profile: ProjectProfile.describe("the same fields as one object"),
    cached: z.boolean().describe("true when it was computed earlier"),
    reason: z.literal("no_sessions").optional().describe("why it is empty"),
  }),
  errors: ["invalid_input"],
  run: async (core, input) => {
    const answer = await core.profiles.get(input);
    return { ...answer.profile, ...answer };
  },
});

export const profileOperations = [getProfile];
