import * as z from "zod";
import { Blocker } from "../coordination/actions/record.ts";
import { TimeText } from "../operation/fields.ts";

/** Fields that some errors carry beside the message, so that programs need not parse it. */
const extraFields = {
  notFound: z.array(z.string()).describe("requested ids that are not known"),
  deleted: z.number().int().describe("how many were deleted: none"),
  total: z.number().int().describe("how many were requested"),
  latestId: z.string().describe("newest version of the memory"),
  candidates: z.array(z.string()).describe("commits whose sha begins so"),
  heldBy: z.string().describe("agent that holds the action"),
  expiresAt: TimeText.describe("when its lease ends"),
  blockers: z.array(Blocker).describe("what the action has to wait for"),
  cycle: z.array(z.string()).describe("actions that would wait for each other"),
  sketchId: z.string().describe("sketch that the action is part of"),
  status: z.string().describe("state that forbids it"),
  unfinished: z.array(z.string()).describe("actions that are not done or cancelled"),
  crystallized: z.array(z.string()).describe("actions that are in a crystal already"),
  currentSize: z.number().int().describe("characters that the slot holds, or was made with"),
  sizeLimit: z.number().int().describe("characters that it may hold"),
  limit: z.number().int().describe("the limit: bytes, or observations of a session"),
  observationCount: z.number().int().describe("observations that the session holds"),
  peerId: z.string().describe("peer that has this address already"),
  refused: z.boolean().describe("whether a provider would refuse the same again"),
  retryAfterMs: z.number().describe("milliseconds until it is worth asking again"),
  expected: z.string().describe("SHA-256 that the snapshot should have"),
  actual: z.string().describe("SHA-256 that it has"),
};

export const ErrorBody = z
  .object({
    error: z.string().describe("what was wrong, and what is expected"),
    issues: z
      .array(
        z.object({
          path: z.string().describe("dotted path of the field, empty for the body itself"),
          message: z.string().describe("what was wrong with it"),
        }),
      )
      .optional()
      .describe("each fault of the input, at most 50"),
    flag: z.string().optional().describe("setting of the feature that is off"),
    enableHow: z.string().optional().describe("how to switch the feature on"),
    docsHref: z.string().optional().describe("where the feature is documented"),
    ...z.object(extraFields).partial().shape,
  })
  .meta({ id: "Error" });
