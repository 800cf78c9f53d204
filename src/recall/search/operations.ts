import * as z from "zod";
import { Observation } from "../../capture/observations/record.ts";
import { Lesson } from "../../knowledge/lessons/record.ts";
import { Memory } from "../../knowledge/memories/record.ts";
import { defineOperation } from "../../operation/define.ts";
import {
  EndTime,
  Id,
  int,
  limit,
  Name,
  Path,
  ProjectName,
  scopeFields,
  str,
  Time,
} from "../../operation/fields.ts";
import { roomFor } from "../../operation/result-room.ts";
import { CompactSearchResult, Explanation, LessonSearchResult } from "./record.ts";

/** Characters of a question. */
export const maxQuery = 10_000;

const blankAsAbsent = (value: unknown) =>
  typeof value === "string" && value.trim() === "" ? undefined : value;

const ExpandId = z.union(
  [
    Id,
    z
      .object({
        obsId: Id.describe("id of the record"),
        // Results that have no session say so with an empty one.
        sessionId: z.preprocess(blankAsAbsent, Id.optional()).describe("its session"),
      })
      .transform(({ obsId }) => obsId),
  ],
  { error: "must be an id, or an object with an obsId" },
);

const SmartResult = CompactSearchResult.extend({
  expanded: z.literal(true).optional().describe("the full record stands beside it"),
  observation: Observation.optional().describe("the full observation, with its raw event"),
  memory: Memory.optional().describe("the full memory"),
  lesson: Lesson.optional().describe("the full lesson"),
  neighbors: z
    .array(CompactSearchResult)
    .optional()
    .describe("what stood around it in its session; a memory's sources"),
  explanation: Explanation.optional().describe("how the score came about, when asked for"),
});

export const smartSearch = defineOperation({
  id: "search.smart",
  functionId: "search.smart",
  summary: "Find memories and observations, or expand known ones",
  http: { method: "POST", path: "/smart-search", success: 200, readOnly: true },
  cli: {
    command: "search <query...>",
    flags: { expandIds: "expand", kinds: "kind", sessionId: "session" },
    examples: [
      'memsvc search "why did the login test fail"',
      "memsvc search retry backoff --project shop --limit 5 --explain",
      "memsvc search rate limit --since 2025-01-01 --kind memory --json",
      'memsvc search "deploy steps" --format narrative --token-budget 800',
    ],
  },
  mcp: {
    tool: "memory_smart_search",
    effects: "read",
    core: true,
    title: "Search",
    description:
      "Search by words, meaning and relation for short hits, then pass the ids worth reading as expandIds to get those in full. Use it when you do not know yet what there is, or want few tokens.",
    arguments: {
      query: true,
      expandIds: true,
      limit: { default: 10 },
      project: true,
      includeLessons: true,
      sessionId: true,
      agentId: true,
    },
  },
  hits: "results",
  input: z
    .object({
      query: z
        .preprocess(blankAsAbsent, str(maxQuery).optional())
        .describe("what to look for, in plain words"),
      expandIds: z
        .array(ExpandId)
        .max(20)
        .default([])
        .describe("ids of observations, memories or lessons to show in full"),
      project: ProjectName.optional().describe("only this project"),
      limit: limit(10, 100).describe("how many hits at most"),
      includeLessons: z.boolean().optional().describe("search the lessons too"),
      sessionId: Id.optional().describe("session towards which the ranking leans"),
      cwd: Path.optional().describe("folder towards which the ranking leans"),
      kinds: z
        .array(z.enum(["observation", "memory", "lesson"]))
        .min(1)
        .optional()
        .describe("only these kinds of records"),
      since: Time.optional().describe("only what happened at or after this time"),
      until: EndTime.optional().describe(
        "only what happened at or before this time; a date alone: the end of that day",
      ),
      explain: z.boolean().optional().describe("with each stream's rank, score and contribution"),
      source: Name.optional().describe("what asks; `viewer` is not counted as a recall"),
      ...scopeFields,
    })
    .refine(
      ({ query, expandIds }) => query !== undefined || expandIds.length > 0,
      "query or expandIds required",
    )
    .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
      path: ["until"],
      error: "must not lie before since",
    }),
  output: z.object({
    mode: z.enum(["compact", "expanded", "mixed"]).describe("what was asked for: hits, records, or both"),
    results: z.array(SmartResult).describe("expanded records first, then hits, best first"),
    totalCount: z.number().int().describe("expanded records and all distinct hits, before the limit"),
    streams: z.array(z.string()).describe("streams that took part"),
    lessons: z.array(LessonSearchResult).optional().describe("lesson hits, when lessons were searched too"),
    notFound: z.array(z.string()).optional().describe("ids to expand that are not known"),
    truncated: z.boolean().optional().describe("true when an expanded record was cut to 64 KiB"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) =>
    core.smartSearch(
      { ...input, maxChars: roomFor(core, caller) },
      (input.source ?? caller.source) !== "viewer",
    ),
});

const Format = z.enum(["full", "compact", "narrative"]);
const anyCaseFormat = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(Format);

export const fullSearch = defineOperation({
  id: "search.full",
  functionId: "search.full",
  summary: "Find memories and observations and get their records within a token budget",
  http: { method: "POST", path: "/search", success: 200, readOnly: true },
  mcp: {
    tool: "memory_recall",
    effects: "read",
    core: true,
    title: "Recall",
    description:
      "Find earlier observations and memories and get them in full, within a token budget. Use it before you start on a task, and whenever earlier work may tell how something was done, decided or fixed.",
    arguments: {
      query: true,
      limit: { default: 10 },
      format: {
        type: z.union([Format, anyCaseFormat]),
        description: "records in full (the default), one line each, or a numbered list as plain text",
      },
      token_budget: true,
      project: true,
      agentId: true,
    },
    result: "text",
    ifEmpty: "Nothing is stored that has to do with it.",
    ifAllCut:
      "Something is stored that has to do with it, but none of it fits into token_budget: ask for more.",
  },
  hits: "results",
  input: z
    .object({
      query: str(maxQuery).describe("what to look for, in plain words"),
      limit: limit(20, 100).describe("how many at most"),
      project: ProjectName.optional().describe("only this project"),
      cwd: Path.optional().describe("folder towards which the ranking leans"),
      format: anyCaseFormat.default("full").describe("full, compact or narrative"),
      token_budget: int(1, 100_000).optional().describe("tokens that the results may take"),
      tokenBudget: int(1, 100_000).optional().describe("the same as token_budget"),
      sessionId: Id.optional().describe("session towards which the ranking leans"),
      source: Name.optional().describe("what asks; `viewer` is not counted as a recall"),
      ...scopeFields,
    })
    .transform((input) => ({ ...input, tokenBudget: input.token_budget ?? input.tokenBudget })),
  output: z.object({
    format: Format.describe("as asked"),
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
            memory: Memory.optional().describe("the memory, where it is one"),
          }),
          CompactSearchResult,
          z.object({
            obsId: z.string().describe("id of the record"),
            sessionId: z.string().describe("its session, empty when it has none"),
            title: z.string().describe("its title"),
            narrative: z.string().describe("its text"),
            score: z.number().describe("combined score"),
            timestamp: z.string().describe("when it happened or was made"),
            kind: z.string().describe("observation or memory"),
          }),
        ]),
      )
      .describe("best first, in the asked form"),
    totalCount: z.number().int().describe("all distinct hits, before limit and budget"),
    tokensUsed: z.number().int().describe("estimated tokens of the results"),
    tokens_used: z.number().int().describe("the same as tokensUsed"),
    tokens_budget: z.number().int().optional().describe("the budget, if one was given"),
    truncated: z.boolean().describe("true when the budget left something out"),
    streams: z.array(z.string()).describe("streams that took part"),
    text: z.string().optional().describe("the results as a numbered list, for the format narrative"),
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) =>
    core.fullSearch(
      { ...input, maxChars: roomFor(core, caller) },
      (input.source ?? caller.source) !== "viewer",
    ),
});

export const searchOperations = [smartSearch, fullSearch];
