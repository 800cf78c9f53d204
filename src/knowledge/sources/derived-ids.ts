import * as z from "zod";

export const DerivedIds = z
  .array(z.string())
  .describe("ids of facts, procedures and insights that went with it, since they were drawn from it");
