import type { DocumentInput } from "../../index/documents/documents.ts";
import { firstLine } from "../../text/first-line.ts";
import { conclusionDocument } from "../conclusions/document.ts";
import type { LessonRow } from "./record.ts";

const titleLength = 80;

/** The index document of a lesson; deleted lessons are not in the index. */
export function lessonDocument(row: LessonRow): DocumentInput {
  return conclusionDocument("lesson", row, {
    title: firstLine(row.content, titleLength),
    body: row.context === "" ? row.content : `${row.content}\n${row.context}`,
    concepts: row.tags,
  });
}
