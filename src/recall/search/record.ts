import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";
import { snippetLength } from "./snippet.ts";

export const Match = z.enum(["strong", "weak"]);
export type Match = z.infer<typeof Match>;

const PromptAnswer = z
  .object({
    obsId: z.string().describe("id of the observation that has it"),
    narrative: z.string().describe(`its first ${snippetLength} characters`),
  })
  .describe("what the agent answered to this prompt; absent if that is a result, too, or says nothing");
export type PromptAnswer = z.infer<typeof PromptAnswer>;

/** What a result says about the other ones and what followed it, in every format. */
export const amongOthers = {
  moreRuns: z
    .number()
    .int()
    .optional()
    .describe("how many more runs of this command in its session ended alike, of those found"),
  replacedBy: z
    .string()
    .optional()
    .describe(
      "id of a later record that clearly replaces what this one decided; not always among the results",
    ),
  answer: PromptAnswer.optional(),
};

export const CompactSearchResult = z
  .object({
    obsId: z.string().describe("id of the observation, memory or lesson"),
    sessionId: z.string().describe("its session, empty when it has none"),
    title: z.string().describe("its title"),
    type: z.string().describe("observation type, memory type, or lesson"),
    score: z.number().describe("combined score of all streams"),
    match: Match.optional().describe("how well it fits the query; weak: it shares little with it"),
    timestamp: TimeText.describe("when it happened or was made"),
    narrative: z.string().describe(`first ${snippetLength} characters of its text`),
    passage: z
      .string()
      .optional()
      .describe(
        "matching passage of its text, at most 300 characters; absent if title and narrative already show it",
      ),
    ...amongOthers,
    kind: z.enum(["observation", "memory", "lesson"]).describe("what kind of record it is"),
    project: z.string().optional().describe("its project"),
    files: z.array(z.string()).optional().describe("files that it names"),
  })
  .meta({ id: "CompactSearchResult" });
export type CompactSearchResult = z.infer<typeof CompactSearchResult>;

export const LessonSearchResult = z.object({
  lessonId: z.string().describe("id of the lesson"),
  content: z.string().describe("first 240 characters of it"),
  confidence: z.number().describe("current confidence"),
  score: z.number().describe("match times confidence, reduced with age"),
  createdAt: TimeText.describe("when it was first saved"),
  project: z.string().optional().describe("its project; absent if it applies everywhere"),
  tags: z.array(z.string()).describe("tags"),
});
export type LessonSearchResult = z.infer<typeof LessonSearchResult>;

export const Explanation = z.object({
  coverage: z
    .number()
    .optional()
    .describe("share of the query's information found in it or next to it, 0 to 1"),
  streams: z
    .record(
      z.string(),
      z.object({
        rank: z.number().int().describe("place in the stream, from 1"),
        score: z.number().describe("the stream's own score"),
        contribution: z.number().describe("what it adds to the combined score"),
      }),
    )
    .describe("each stream that found it"),
  bonuses: z
    .record(z.string(), z.number())
    .describe("what was added for session, folder, quality and recency"),
});
export type Explanation = z.infer<typeof Explanation>;
