import * as z from "zod";
import type { Operation } from "./define.ts";
import type { scopeFields } from "./fields.ts";

const mark: keyof typeof scopeFields = "includeOrphans";

/** Whether an operation reads or writes rows of agents, that is, whether its input has the `scopeFields`. */
export function isScoped({ input }: Operation): boolean {
  return hasMark(input);
}

function hasMark(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe) return hasMark(schema.in);
  return schema instanceof z.ZodObject && mark in schema.shape;
}
