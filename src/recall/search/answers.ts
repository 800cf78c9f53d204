import * as z from "zod";
import { Observation } from "../../capture/observations/record.ts";
import { Lesson } from "../../knowledge/lessons/record.ts";
import { Memory } from "../../knowledge/memories/record.ts";
import { amongOthers, CompactSearchResult, Explanation, LessonSearchResult } from "./record.ts";

const leftOut = z
  .array(z.string())
  .optional()
  .describe("streams that were late, still loading or failed, so the same search may find more");

/** The field of an answer for the streams that its search left out; absent if there are none. */
export function leftOutOf({ leftOut }: { readonly leftOut: readonly string[] }): { leftOut?: string[] } {
  return leftOut.length === 0 ? {} : { leftOut: [...leftOut] };
}

const SmartResult = CompactSearchResult.extend({
  expanded: z.literal(true).optional().describe("the full record is included"),
  observation: Observation.optional().describe("the full observation, with its raw event"),
  memory: Memory.optional().describe("the full memory"),
  lesson: Lesson.optional().describe("the full lesson"),
  neighbors: z
    .array(CompactSearchResult)
    .optional()
    .describe("what surrounds it in its session; for a memory, its sources"),
  explanation: Explanation.optional().describe("how the score was computed, if requested"),
});

export const SmartSearchAnswer = z.object({
  mode: z.enum(["compact", "expanded", "mixed"]).describe("what was requested: hits, records, or both"),
  results: z.array(SmartResult).describe("expanded records first, then hits, best first"),
  totalCount: z.number().int().describe("expanded records and all distinct hits, before the limit"),
  streams: z.array(z.string()).describe("streams that took part"),
  leftOut,
  lessons: z.array(LessonSearchResult).optional().describe("lesson hits, when lessons were searched too"),
  notFound: z.array(z.string()).optional().describe("ids to expand that are not known"),
  truncated: z.boolean().optional().describe("true when an expanded record was cut to 64 KiB"),
});
export type SmartSearchAnswer = z.infer<typeof SmartSearchAnswer>;

export const SearchFormat = z.enum(["full", "compact", "narrative"]);
export type SearchFormat = z.infer<typeof SearchFormat>;

const NarrativeItem = z.object({
  obsId: z.string().describe("id of the record"),
  sessionId: z.string().describe("its session, empty when it has none"),
  title: z.string().describe("its title"),
  narrative: z.string().describe("its text"),
  score: z.number().describe("combined score"),
  timestamp: z.string().describe("when it happened or was made"),
  kind: z.string().describe("observation or memory"),
  ...amongOthers,
});
export type NarrativeItem = z.infer<typeof NarrativeItem>;

export const FullSearchAnswer = z.object({
  format: SearchFormat.describe("as asked"),
  results: z
    .array(
      z.union([
        z.object({
          observation: Observation.partial()
            .extend({ type: z.string().describe("observation or memory type") })
            .describe("the record"),
          score: z.number().describe("combined score"),
          sessionId: z.string().describe("its session, empty when it has none"),
          kind: z.string().describe("observation or memory"),
          ...amongOthers,
          memory: Memory.optional().describe("the memory, where it is one"),
          match: CompactSearchResult.shape.match,
        }),
        CompactSearchResult,
        NarrativeItem,
      ]),
    )
    .describe("best first, in the asked form"),
  totalCount: z.number().int().describe("all distinct hits, before limit and budget"),
  tokensUsed: z.number().int().describe("estimated tokens of the results"),
  tokens_used: z.number().int().describe("the same as tokensUsed"),
  tokens_budget: z.number().int().optional().describe("the budget, if one was given"),
  truncated: z.boolean().describe("true when the budget left something out"),
  streams: z.array(z.string()).describe("streams that took part"),
  leftOut,
  text: z.string().optional().describe("the results as a numbered list, for the format narrative"),
});
export type FullSearchAnswer = z.infer<typeof FullSearchAnswer>;
