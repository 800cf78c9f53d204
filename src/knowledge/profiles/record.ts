import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

const Concept = z.object({
  concept: z.string().describe("tag"),
  frequency: z.number().int().describe("observations that carry it"),
});

const File = z.object({
  file: z.string().describe("path"),
  frequency: z.number().int().describe("observations that touched it"),
});

export const ProjectProfile = z
  .object({
    project: z.string().describe("project as the request named it"),
    updatedAt: TimeText.describe("when it was computed"),
    topConcepts: z.array(Concept).describe("of the newest 50 sessions, most frequent first, at most 15"),
    topFiles: z.array(File).describe("of the newest 50 sessions, most frequent first, at most 15"),
    conventions: z.array(z.string()).describe("how work is done here, at most 10"),
    commonErrors: z.array(z.string()).describe("errors that came up, most frequent first, at most 10"),
    recentActivity: z
      .array(z.string())
      .describe("one dated line for each of the newest sessions, at most 10"),
    sessionCount: z.number().int().describe("sessions of the whole project"),
    totalObservations: z.number().int().describe("observations of the whole project"),
    summary: z.string().describe("one sentence"),
    agentId: z.string().optional().describe("agent whose rows it was made from"),
  })
  .meta({ id: "ProjectProfile" });
export type ProjectProfile = z.infer<typeof ProjectProfile>;
