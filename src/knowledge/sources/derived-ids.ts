import * as z from "zod";

export const DerivedIds = z
  .array(z.string())
  .describe(
    "ids of facts, procedures and insights that were deleted with it because they were derived from it",
  );
