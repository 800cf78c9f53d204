import * as z from "zod";

/** From 0 to 1, in a file. */
export const FileShare = z.number().min(0).max(1);

/** A strength in a file, from 0 to 1; other programs count it to ten. */
export const FileStrength = z
  .number()
  .min(0)
  .max(10)
  .default(1)
  .transform((strength) => (strength > 1 ? strength / 10 : strength));
