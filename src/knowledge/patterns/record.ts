import * as z from "zod";

export const Pattern = z
  .object({
    type: z
      .enum(["co_change", "error_repeat", "workflow"])
      .describe("files changed together, an error that came back, or commands that follow each other"),
    description: z.string().describe("the pattern in words"),
    files: z.array(z.string()).describe("files that it is about"),
    frequency: z.number().int().describe("sessions that show it; for errors, how often they occurred"),
    sessions: z.array(z.string()).describe("sessions that show it, newest first, at most 20"),
  })
  .meta({ id: "Pattern" });
export type Pattern = z.infer<typeof Pattern>;
