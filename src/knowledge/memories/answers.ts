import * as z from "zod";
import { ProjectWarning } from "../../capture/projects/record.ts";
import { dryRunOutput } from "../../operation/fields.ts";
import { Withdrawn } from "../../sharing/team/record.ts";
import { DerivedIds } from "../sources/derived-ids.ts";
import { Memory } from "./record.ts";

export const Remembered = z.object({
  memoryId: z.string().describe("id of the new version"),
  strength: z.number().describe("1 for a new version"),
  version: z.number().int().describe("above 1 when it supersedes a known memory"),
  isLatest: z.boolean().describe("true"),
  memory: Memory.describe("the memory as stored"),
  superseded: z
    .string()
    .optional()
    .describe("id of the version that it replaces, which can still be read under that id"),
  repeats: z
    .literal(true)
    .optional()
    .describe("true if the version that it replaces has the same text and title"),
  similarTo: z
    .object({
      id: z.string().describe("similar memory"),
      title: z.string().describe("its title"),
      similarity: z.number().describe("0 to 1"),
    })
    .optional()
    .describe("a similar memory, which is kept"),
  warning: ProjectWarning.optional(),
});
export type Remembered = z.infer<typeof Remembered>;

export const Evolved = z.object({
  memory: Memory.describe("the new version"),
  memoryId: z.string().describe("its id"),
  previousId: z.string().describe("id of the version before"),
  version: z.number().int().describe("its number"),
  isLatest: z.boolean().describe("true"),
  strength: z.number().describe("1"),
});
export type Evolved = z.infer<typeof Evolved>;

export const Forgotten = z.object({
  deleted: z.number().int().describe("memories, observations and sessions deleted"),
  notFound: z.array(z.string()).describe("ids that are not known"),
  deletedMemories: z.number().int().describe("memories deleted"),
  deletedObservations: z.number().int().describe("observations deleted"),
  restored: z.string().optional().describe("version that is now the latest again"),
  derived: DerivedIds.optional(),
  remaining: z
    .array(z.string())
    .optional()
    .describe(
      "memories and lessons derived at least in part from what was deleted; they stay until deleted by id",
    ),
  withdrawn: Withdrawn.optional(),
  summary: z
    .enum(["deleted", "renewed", "kept"])
    .optional()
    .describe(
      "what became of the session's summary: deleted with the session, made again from what is left, or kept as it was where no observation is left; absent if it has none",
    ),
  ...dryRunOutput,
});
export type Forgotten = z.infer<typeof Forgotten>;

export const MemoryPart = z.object({
  memory: Memory.describe("the memory, after this recall"),
  truncated: z.literal(true).optional().describe("set if the content does not fit into a tool's result"),
  nextOffset: z.number().int().optional().describe("offset of the next part"),
});
export type MemoryPart = z.infer<typeof MemoryPart>;
