import * as z from "zod";
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
import { FullSearchAnswer, SearchFormat, SmartSearchAnswer } from "./answers.ts";
import { leftOutNote } from "./left-out-note.ts";
import { mostExpanded, mostHits } from "./search-limits.ts";

/** Most characters of a query. */
export const maxQuery = 10_000;

const blankAsAbsent = (value: unknown) =>
  typeof value === "string" && value.trim() === "" ? undefined : value;

const ExpandId = z.union(
  [
    Id,
    z
      .object({
        obsId: Id.describe("id of the record"),
        // Results without a session have an empty session id, which may be sent back here.
        sessionId: z.preprocess(blankAsAbsent, Id.optional()).describe("its session"),
      })
      .transform(({ obsId }) => obsId),
  ],
  { error: "must be an id, or an object with an obsId" },
);

export const smartSearch = defineOperation({
  id: "search.smart",
  functionId: "search.smart",
  summary: "Search memories and observations, or show known ones in full",
  http: { method: "POST", path: "/smart-search", success: 200 },
  cli: {
    command: "search [query...]",
    flags: { expandIds: "expand", kinds: "kind", sessionId: "session" },
    examples: [
      'memsvc search "why did the login test fail"',
      "memsvc search retry backoff --project shop --limit 5 --explain",
      'memsvc search rate limit --since "last week" --kind memory --json',
      'memsvc search "deploy steps" --format narrative --token-budget 800',
    ],
  },
  mcp: {
    tool: "memory_smart_search",
    effects: "read",
    core: true,
    title: "Search",
    description:
      "Search by words, meaning and relation for short hits, then pass the ids worth reading as expandIds to get them in full. Use it when you do not know yet what there is, or want few tokens.",
    arguments: {
      query: true,
      expandIds: true,
      limit: { default: 10 },
      project: true,
      includeLessons: true,
      sessionId: true,
      agentId: true,
    },
    hint: leftOutNote,
  },
  hits: "results",
  input: z
    .object({
      query: z
        .preprocess(blankAsAbsent, str(maxQuery).optional())
        .describe("what to look for, in plain words"),
      expandIds: z
        .array(ExpandId)
        .max(mostExpanded)
        .default([])
        .describe("ids of observations, memories or lessons to show in full"),
      project: ProjectName.optional().describe("only this project"),
      limit: limit(10, mostHits).describe("maximum number of hits"),
      includeLessons: z.boolean().optional().describe("search lessons too"),
      sessionId: Id.optional().describe("session to favour in the ranking"),
      cwd: Path.optional().describe("folder to favour in the ranking"),
      kinds: z
        .array(z.enum(["observation", "memory", "lesson"]))
        .min(1)
        .optional()
        .describe("only these kinds of records"),
      since: Time.optional().describe("only what happened at or after this time"),
      until: EndTime.optional().describe(
        "only what happened at or before this time; a date means the end of that day",
      ),
      explain: z.boolean().optional().describe("include each stream's rank, score and contribution"),
      source: Name.optional().describe("who asks; `viewer` is not counted as a recall"),
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
  output: SmartSearchAnswer,
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) =>
    core.smartSearch(
      { ...input, maxChars: roomFor(core, caller) },
      (input.source ?? caller.source) !== "viewer",
    ),
});

const anyCaseFormat = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(SearchFormat);

export const fullSearch = defineOperation({
  id: "search.full",
  functionId: "search.full",
  summary: "Search memories and observations, and get the records within a token budget",
  http: { method: "POST", path: "/search", success: 200 },
  mcp: {
    tool: "memory_recall",
    effects: "read",
    core: true,
    title: "Recall",
    description:
      "Search observations and memories and get them in full, within a token budget. Use it before you start a task, and whenever earlier work may show how something was done, decided or fixed.",
    arguments: {
      query: true,
      limit: { default: 10 },
      format: {
        type: z.union([SearchFormat, anyCaseFormat]),
        description:
          "records in full (the default), one line each with its id (a third of the tokens), or a numbered list as plain text without ids (fewest tokens)",
      },
      token_budget: true,
      project: true,
      agentId: true,
    },
    result: "text",
    hint: leftOutNote,
    ifEmpty: (answer) =>
      leftOutNote(answer) === undefined ? "Nothing is stored that has to do with it." : "Nothing was found.",
    ifAllCut:
      "Something is stored that has to do with it, but none of it fits into token_budget: ask for more.",
  },
  hits: "results",
  input: z
    .object({
      query: str(maxQuery).describe("what to look for, in plain words"),
      limit: limit(20, mostHits).describe("maximum number"),
      project: ProjectName.optional().describe("only this project"),
      cwd: Path.optional().describe("folder to favour in the ranking"),
      format: anyCaseFormat.default("full").describe("full, compact or narrative"),
      token_budget: int(1, 100_000).optional().describe("token budget for the results"),
      tokenBudget: int(1, 100_000).optional().describe("the same as token_budget"),
      sessionId: Id.optional().describe("session to favour in the ranking"),
      source: Name.optional().describe("who asks; `viewer` is not counted as a recall"),
      ...scopeFields,
    })
    .transform((input) => ({ ...input, tokenBudget: input.token_budget ?? input.tokenBudget })),
  output: FullSearchAnswer,
  errors: ["invalid_input"],
  run: (core, input, caller) =>
    core.fullSearch(
      { ...input, maxChars: roomFor(core, caller) },
      (input.source ?? caller.source) !== "viewer",
    ),
});

export const searchOperations = [smartSearch, fullSearch];
