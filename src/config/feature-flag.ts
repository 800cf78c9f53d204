import * as z from "zod";

/** How a feature is described to users: what it does, whether it is on, and how to switch it on. */
export const FeatureFlag = z.object({
  key: z.string().describe("name of the setting that switches the feature"),
  label: z.string().describe("short name of the feature"),
  enabled: z.boolean().describe("whether the setting is on"),
  default: z.boolean().describe("the setting's default"),
  needsLlm: z.boolean().describe("whether the feature needs a language model provider"),
  description: z.string().describe("what the feature does"),
  enableHow: z.string().describe("how to switch the feature on"),
  docsHref: z.string().optional().describe("where the shipped documentation describes the setting"),
  affects: z.array(z.string()).optional().describe("parts of the program that change with the feature"),
  effective: z
    .boolean()
    .describe("whether the setting is on and everything that the feature needs is available"),
});

export type FeatureFlag = z.infer<typeof FeatureFlag>;
