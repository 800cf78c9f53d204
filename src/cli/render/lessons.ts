import type {
  deleteLesson,
  listLessons,
  saveLesson,
  searchLessons,
  strengthenLesson,
} from "../../knowledge/lessons/operations.ts";
import type { Lesson } from "../../knowledge/lessons/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { type DetailFields, detailLines } from "./details.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { scopeNote } from "./scope-note.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderSavedLesson(
  { action, lesson, warning }: OutputOf<typeof saveLesson>,
  terminal: Terminal,
): string {
  const notes = [`confidence ${lesson.confidence.toFixed(2)}`, ...scopeNote(lesson)];
  return outcome(terminal, action === "created" ? "saved" : "confirmed", lesson.id, { notes, warning });
}

export function renderLessons(
  { lessons, ...page }: OutputOf<typeof listLessons>,
  terminal: Terminal,
): string {
  return pageLines(page, lessons, terminal, "no lessons found", (lesson) => row(lesson, terminal));
}

export function renderFoundLessons({ lessons }: OutputOf<typeof searchLessons>, terminal: Terminal): string {
  if (lessons.length === 0) return "no lesson matches";
  const rows = lessons.map((lesson) => row(lesson, terminal));
  return inColumns(rows, terminal).join("\n");
}

export function renderStrengthenedLesson({ lesson }: OutputOf<typeof strengthenLesson>): string {
  return `confidence ${lesson.confidence.toFixed(2)}, confirmed ${lesson.reinforcements}×`;
}

export function renderDeletedLesson(answer: OutputOf<typeof deleteLesson>, terminal: Terminal): string {
  const { id, content } = answer.lesson;
  if (answer.dryRun === true) return `would delete ${id}: ${oneLine(content, 100)}`;
  terminal.say("its text stays in the database and in exports, marked as deleted");
  return `deleted ${id}`;
}

/** A lesson in full. */
export function lessonDetails(lesson: Lesson, { paint, isForPeople }: Terminal): string {
  const facts: DetailFields = [
    ["id", lesson.id],
    ["project", lesson.project],
    ["tags", lesson.tags.join(", ") || undefined],
    ["confidence", `${lesson.confidence.toFixed(2)} after ${counted(lesson.reinforcements, "confirmation")}`],
    ["saved", shownTime(lesson.createdAt, isForPeople)],
  ];
  const context = lesson.context === "" ? [] : ["", lesson.context];
  return [...detailLines(facts, paint), "", lesson.content, ...context].join("\n");
}

function row(lesson: Lesson, { paint, isForPeople }: Terminal): Field[] {
  const project = lesson.project ?? (isForPeople ? "every project" : undefined);
  const facts = [project, shownTime(lesson.updatedAt, isForPeople)].filter(Boolean).join(", ");
  return [lesson.id, lesson.confidence.toFixed(2), { whole: lesson.content }, paint.dim(facts)];
}
