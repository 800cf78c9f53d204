import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

export const ProjectPlace = z
  .object({
    project: z.string().describe("its first folder where that is known, else its name"),
    folders: z.array(z.string()).describe("other folders that stand for it because it was moved to them"),
    presentFolder: z.string().optional().describe("the other folder that exists now, if its first does not"),
    names: z.array(z.string()).describe("names under which it is found too"),
  })
  .meta({ id: "ProjectPlace" });
export type ProjectPlace = z.infer<typeof ProjectPlace>;

export const Project = ProjectPlace.extend({
  sessionCount: z.number().int().describe("sessions that worked in it"),
  memoryCount: z.number().int().describe("latest memories of it"),
  lastActiveAt: TimeText.describe("when its last session began, or its last memory was made"),
}).meta({ id: "Project" });
export type Project = z.infer<typeof Project>;

/** How much a family stores under one project key. */
export interface ProjectShare {
  readonly key: string;
  readonly count: number;
  /** The time of the newest row, in milliseconds since 1970. */
  readonly lastAt: number;
}

export const ProjectWarning = z
  .string()
  .describe(
    "set if the record will hardly be found under the given project, because several folders share the name, or the folder is inside of another project: which, and what to do",
  );
