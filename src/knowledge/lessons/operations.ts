import * as z from "zod";
import { ProjectWarning } from "../../capture/projects/record.ts";
import { defineOperation } from "../../operation/define.ts";
import {
  dryRunInput,
  dryRunOutput,
  Id,
  limit,
  num,
  Offset,
  optionalText,
  ProjectName,
  pageFields,
  scopeFields,
  str,
  TagsOrCsv,
} from "../../operation/fields.ts";
import { Lesson, LessonSource } from "./record.ts";

const maxContent = 10_000;
const maxQuery = 10_000;

export const saveLesson = defineOperation({
  id: "lessons.save",
  functionId: "lesson.save",
  summary: "Save a lesson, or confirm an existing one that says the same",
  http: {
    method: "POST",
    path: "/lessons",
    success: 201,
    otherwise: { status: 200, when: ({ action }) => action !== "created" },
  },
  cli: {
    command: "lesson save <content...>",
    flags: { tags: "tag" },
    examples: [
      'memsvc lesson save "Run the migration on a copy first" --project shop --tag database',
      'memsvc lesson save "Flaky tests here mean a missing await" --confidence 0.8',
    ],
  },
  mcp: {
    tool: "memory_lesson_save",
    effects: "write",
    core: true,
    title: "Save a lesson",
    description:
      "Store what to do, or not to do, the next time; saving a known lesson again, in the same words, raises its confidence. Use it after a mistake, a correction by the user, or something that worked well.",
    arguments: { content: true, context: true, confidence: true, project: true, tags: true },
  },
  input: z.object({
    content: str(maxContent).describe("what was learned"),
    context: optionalText(maxContent).optional().describe("where it applies"),
    confidence: num(0, 1).default(0.5).describe("initial confidence of a new lesson"),
    project: ProjectName.optional().describe("project it belongs to; without one it applies everywhere"),
    tags: TagsOrCsv.default([]).describe("tags, as a list or with commas between them"),
    ...scopeFields,
  }),
  output: z.object({
    action: z.enum(["created", "strengthened"]).describe("whether it is new, or confirmed a known one"),
    lesson: Lesson.describe("the lesson as stored"),
    warning: ProjectWarning.optional(),
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.lessons.add(input),
});

export const listLessons = defineOperation({
  id: "lessons.list",
  summary: "List lessons, most confident first",
  http: { method: "GET", path: "/lessons", success: 200 },
  cli: {
    command: "lesson list",
    examples: ["memsvc lesson list --project shop", "memsvc lesson list --min-confidence 0.7"],
  },
  input: z.object({
    project: ProjectName.optional().describe("only lessons of this project or of no project"),
    source: LessonSource.optional().describe("only lessons with this origin"),
    minConfidence: num(0, 1).optional().describe("only lessons with at least this confidence"),
    limit: limit(50, 500).describe("maximum number"),
    offset: Offset.describe("lessons to skip"),
    ...scopeFields,
  }),
  output: z.object({ lessons: z.array(Lesson).describe("most confident first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.lessons.list(input),
});

export const searchLessons = defineOperation({
  id: "lessons.search",
  summary: "Search lessons by words",
  http: { method: "POST", path: "/lessons/search", success: 200 },
  cli: {
    command: "lesson search <query...>",
    examples: ["memsvc lesson search migration", 'memsvc lesson search "flaky tests" --limit 3'],
  },
  mcp: {
    tool: "memory_lesson_recall",
    effects: "read",
    title: "Recall lessons",
    description: "Search lessons by words. Use it before you do something that may have gone wrong before.",
    arguments: { query: true, project: true, minConfidence: true, limit: true },
  },
  hits: "lessons",
  input: z.object({
    query: str(maxQuery).describe("what to look for, in plain words"),
    project: ProjectName.optional().describe("only lessons of this project or of no project"),
    minConfidence: num(0, 1).default(0.1).describe("only lessons with at least this confidence"),
    limit: limit(10, 100).describe("maximum number"),
    ...scopeFields,
  }),
  output: z.object({
    lessons: z
      .array(
        Lesson.extend({
          score: z.number().describe("match times confidence, reduced with age"),
        }),
      )
      .describe("best first"),
  }),
  errors: ["invalid_input"],
  run: async (core, input) => ({ lessons: await core.searchLessons(input) }),
});

export const strengthenLesson = defineOperation({
  id: "lessons.strengthen",
  functionId: "lesson.strengthen",
  summary: "Confirm a lesson, which raises its confidence",
  http: { method: "POST", path: "/lessons/strengthen", success: 200 },
  cli: {
    command: "lesson strengthen <lessonId>",
    examples: ["memsvc lesson strengthen lsn_01…", "memsvc lesson strengthen lsn_01… --json"],
  },
  input: z.object({ lessonId: Id.describe("lesson that turned out to be right"), ...scopeFields }),
  output: z.object({ lesson: Lesson.describe("the lesson, confirmed") }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input) => ({ lesson: await core.lessons.strengthen(input) }),
});

export const deleteLesson = defineOperation({
  id: "lessons.delete",
  functionId: "lesson.delete",
  summary: "Delete a lesson; exports still contain it",
  http: { method: "POST", path: "/lessons/delete", success: 200 },
  cli: {
    command: "lesson delete <lessonId>",
    examples: ["memsvc lesson delete lsn_01… --dry-run", "memsvc lesson delete lsn_01…"],
  },
  mcp: {
    tool: "memory_lesson_delete",
    effects: "destroy",
    idempotent: true,
    title: "Delete a lesson",
    description: "Delete a lesson. Use it when a lesson has turned out to be wrong, or the user asks for it.",
    arguments: { lessonId: true },
  },
  deletes: true,
  input: z.object({ lessonId: Id.describe("lesson to delete"), ...dryRunInput, ...scopeFields }),
  output: z.object({ lesson: Lesson.describe("the lesson, marked as deleted"), ...dryRunOutput }),
  errors: ["invalid_input", "not_found"],
  run: async (core, input) => ({ lesson: await core.lessons.delete(input) }),
});

export const lessonOperations = [saveLesson, listLessons, searchLessons, strengthenLesson, deleteLesson];
