import * as z from "zod";
import { Origin } from "../../capture/observations/record.ts";
import { isObject } from "../../json/is-object.ts";

/** Where a memory came from. */
export const MemoryOrigin = Origin.extend({
  separate: z
    .literal(true)
    .optional()
    .describe("its author keeps it apart from memories that say nearly the same"),
});
export type MemoryOrigin = z.infer<typeof MemoryOrigin>;

export function isSeparate(origin: unknown): boolean {
  return isObject(origin) && origin.separate === true;
}

/** The mark of a memory that is kept apart, for the origin of its next version or its copy elsewhere. */
export function separateMark(origin: unknown): Pick<MemoryOrigin, "separate"> {
  return isSeparate(origin) ? { separate: true } : {};
}
