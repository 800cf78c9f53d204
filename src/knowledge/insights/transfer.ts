import * as z from "zod";
import { FileTexts, RedactedText, RedactedTexts, united } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstLine } from "../../text/first-line.ts";
import { conclusionFromFile, conclusionInFile, exportOnlyFields } from "../conclusions/transfer.ts";
import { insightDocument } from "./document.ts";
import { insightRecord } from "./record.ts";
import { insightRows } from "./rows.ts";

const titleLength = 80;

export const insightCollection = tableCollection({
  name: "insights",
  rows: insightRows,
  schema: z.object({
    ...conclusionInFile,
    title: RedactedText.optional(),
    sourceConceptCluster: RedactedTexts,
    sourceMemoryIds: FileTexts,
    sourceLessonIds: FileTexts,
    sourceCrystalIds: FileTexts,
    provider: RedactedText.default("extractive"),
  }),
  words: "content",
  record: (row, { now, settings }) => ({
    ...insightRecord(row, now, settings.insightDecayEnabled),
    ...exportOnlyFields(row),
  }),
  row: async (given, writing) => ({
    ...(await conclusionFromFile(given, writing)),
    title: given.title ?? firstLine(given.content, titleLength),
  }),
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({ ...kept, tags: united(kept.tags, other.tags) }),
  index: {
    kind: "insight",
    document: (row) => (row.deleted ? undefined : insightDocument(row)),
  },
});
