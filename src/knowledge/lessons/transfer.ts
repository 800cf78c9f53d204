import * as z from "zod";
import { FileTexts, RedactedText, united } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { conclusionFromFile, conclusionInFile, exportOnlyFields } from "../conclusions/transfer.ts";
import { lessonDocument } from "./document.ts";
import { LessonSource, lessonRecord } from "./record.ts";
import { lessonRows } from "./rows.ts";

export const lessonCollection = tableCollection({
  name: "lessons",
  rows: lessonRows,
  schema: z.object({
    ...conclusionInFile,
    context: RedactedText.default(""),
    source: LessonSource.catch("manual").default("manual"),
    sourceIds: FileTexts,
  }),
  words: "content",
  record: (row, { now, settings }) => ({
    ...lessonRecord(row, now, settings.lessonDecayEnabled),
    ...exportOnlyFields(row),
  }),
  row: conclusionFromFile,
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
  index: {
    kind: "lesson",
    document: (row) => (row.deleted ? undefined : lessonDocument(row)),
  },
});
