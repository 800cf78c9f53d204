import { and, eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import { putDocument, removeDocuments } from "../../index/documents/documents.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import type { Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { newConclusion, reinforced } from "../conclusions/row.ts";
import { findSameStatement } from "../statements/find-same-statement.ts";
import { mergeUnique } from "../statements/merge-unique.ts";
import { statementKey } from "../statements/statement-key.ts";
import { lessonDocument } from "./document.ts";
import type { LessonRow, LessonSource } from "./record.ts";
import { lessons } from "./tables.ts";

/** A lesson to be saved, by a request or by another part of memsvc. */
export interface NewLesson {
  readonly content: string;
  readonly context?: string | undefined;
  readonly confidence: number;
  readonly source: LessonSource;
  readonly sourceIds?: readonly string[];
  readonly tags: readonly string[];
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
}

/**
 * Saves a lesson and its index document. A lesson with the same words, project and agent is reinforced
 * instead.
 */
export async function saveLesson(
  tx: Transaction,
  ground: Ground,
  projects: Projects,
  lesson: NewLesson,
): Promise<{ row: LessonRow; isNew: boolean }> {
  const content = redactText(lesson.content);
  const context = redactText(lesson.context ?? "");
  const tags = lesson.tags.map(redactText);
  const owner = { ...(await projects.fieldsOf(tx.sql, lesson.project)), agentId: lesson.agentId ?? null };
  const contentKey = statementKey(content);
  const isSame = and(eq(lessons.contentKey, contentKey), eq(lessons.deleted, false));
  const known = await findSameStatement(tx, lessons, isSame, owner);
  if (known !== undefined) {
    const row = await reinforceLesson(tx, ground, known, {
      tags: mergeUnique(known.tags, tags),
      sourceIds: mergeUnique(known.sourceIds, lesson.sourceIds),
      ...(context.trim() === "" ? {} : { context }),
    });
    return { row, isNew: false };
  }
  const row: LessonRow = {
    id: ground.newId("lesson"),
    content,
    context,
    contentKey,
    confidence: lesson.confidence,
    ...newConclusion(ground.now()),
    source: lesson.source,
    sourceIds: mergeUnique(lesson.sourceIds),
    ...owner,
    tags,
  };
  await tx.orm.insert(lessons).values(row);
  await putDocument(tx.sql, lessonDocument(row));
  return { row, isNew: true };
}

/** Raises the confidence of a lesson by a share of what it lacks to 1. */
export async function reinforceLesson(
  tx: Transaction,
  { now, settings }: Ground,
  before: LessonRow,
  changes: Partial<Pick<LessonRow, "tags" | "context" | "sourceIds">> = {},
): Promise<LessonRow> {
  const row: LessonRow = {
    ...before,
    ...changes,
    ...reinforced(before, now(), settings.lessonDecayEnabled),
  };
  await tx.orm.update(lessons).set(row).where(eq(lessons.id, row.id));
  await putDocument(tx.sql, lessonDocument(row));
  return row;
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
