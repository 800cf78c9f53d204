import * as z from "zod";

/** A number from 0 to 1 in a file. */
export const FileShare = z.number().min(0).max(1);

/** A strength from 0 to 1 in a file; related programs write 0 to 10. */
export const FileStrength = z
  .number()
  .min(0)
  .max(10)
  .default(1)
  .transform((strength) => (strength > 1 ? strength / 10 : strength));
