import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import { putDocument, removeDocuments } from "../../index/documents/documents.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import type { Transaction } from "../../store/store.ts";
import { redactTags, redactText } from "../../text/redaction/redact.ts";
import { newConclusion, reinforced } from "../conclusions/row.ts";
import { type Addition, addStatement, type GivenStatement } from "../statements/add-statement.ts";
import { mergeSources, mergeUnique } from "../statements/merge-unique.ts";
import { statementKey } from "../statements/statement-key.ts";
import { lessonDocument } from "./document.ts";
import type { LessonRow, LessonSource } from "./record.ts";
import { lessonRows } from "./rows.ts";

/** A lesson to be saved, by a request or by another part of memsvc. */
export interface NewLesson extends Omit<GivenStatement, "needsNews"> {
  readonly content: string;
  readonly context?: string | undefined;
  readonly confidence: number;
  readonly source: LessonSource;
  readonly sourceIds?: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Saves a lesson and its index document. A lesson with the same words, project and agent is reinforced
 * instead.
 */
export function saveLesson(
  tx: Transaction,
  ground: Ground,
  projects: Projects,
  lesson: NewLesson,
): Promise<Addition<LessonRow>> {
  const content = redactText(lesson.content);
  const context = redactText(lesson.context ?? "");
  const tags = redactTags(lesson.tags);
  const contentKey = statementKey(content);
  return addStatement(tx, projects, lessonRows, {
    given: lesson,
    isSame: { text: "content_key = ? AND deleted = 0", args: [contentKey] },
    reinforced: (known) => ({
      ...reinforcedLesson(known, ground),
      tags: mergeUnique(known.tags, tags),
      sourceIds: mergeSources(known.sourceIds, lesson.sourceIds),
      ...(context.trim() === "" ? {} : { context }),
    }),
    created: (owner) => ({
      id: ground.newId("lesson"),
      content,
      context,
      contentKey,
      confidence: lesson.confidence,
      ...newConclusion(ground.now()),
      source: lesson.source,
      sourceIds: mergeSources([], lesson.sourceIds),
      ...owner,
      tags,
    }),
    document: lessonDocument,
  });
}

/** Raises the confidence of a stored lesson by a share of what it lacks to 1. */
export async function reinforceLesson(
  tx: Transaction,
  ground: Ground,
  before: LessonRow,
): Promise<LessonRow> {
  const row = reinforcedLesson(before, ground);
  await lessonRows.put(tx.sql, row);
  await putDocument(tx.sql, lessonDocument(row));
  return row;
}

function reinforcedLesson(before: LessonRow, { now, settings }: Ground): LessonRow {
  return { ...before, ...reinforced(before, now(), settings.lessonDecayEnabled) };
}

/** Marks lessons as deleted; only exports still contain them. */
export async function hideLessons(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.run(
    // All ids as one JSON value: the number of parameters of a statement is limited.
    `UPDATE lessons SET deleted = 1, updated_at = ${changedAtSql("?2")}
     WHERE id IN (SELECT value FROM json_each(?1))`,
    [JSON.stringify(ids), now],
  );
  await removeDocuments(tx, "lesson", ids);
}
