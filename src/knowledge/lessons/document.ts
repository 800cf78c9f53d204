import type { DocumentInput } from "../../index/documents/documents.ts";
import { firstLine } from "../../text/first-line.ts";
import { conclusionDocument } from "../conclusions/document.ts";
import type { LessonRow } from "./record.ts";

const titleLength = 80;

/** What the search index knows of a lesson; deleted ones are not in it. */
export function lessonDocument(row: LessonRow): DocumentInput {
  return conclusionDocument("lesson", row, {
    title: firstLine(row.content, titleLength),
    body: row.context === "" ? row.content : `${row.content}\n${row.context}`,
    concepts: row.tags,
  });
}
