import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

const Rows = z.array(z.record(z.string(), z.unknown()));

/** The body that peers exchange; the fields of its rows are described with the records of their families. */
export const MeshRows = z
  .looseObject({
    version: z.string().optional().describe("version of the sending service"),
    exportedAt: TimeText.optional().describe("time from which on every change is in a later export"),
    from: z.string().optional().describe("who sends, to be noted with memories"),
    memories: Rows.optional().describe("memories, all versions"),
    actions: Rows.optional().describe("actions"),
    actionEdges: Rows.optional().describe("what ties actions together"),
    semantic: Rows.optional().describe("facts"),
    procedural: Rows.optional().describe("procedures"),
    relations: Rows.optional().describe("relations between memories"),
    graphNodes: Rows.optional().describe("things of the graph that models or files brought"),
    graphEdges: Rows.optional().describe("edges of the graph that models or files brought"),
    tombstones: Rows.optional().describe(
      "kind, id and time of what was deleted; faded: nobody deleted it, and what is in use elsewhere stays",
    ),
    next: z.string().optional().describe("of a page: what to give as after for the one that follows"),
  })
  .meta({ id: "MeshRows" });
