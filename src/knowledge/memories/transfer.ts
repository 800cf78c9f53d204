import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FilePaths,
  FileText,
  FileTexts,
  FileTime,
  RedactedTags,
  redactedText,
  redactedTitle,
  united,
} from "../../governance/transfer/file-fields.ts";
import { projectFields, projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { announceSources, attachAnnounced, detachAll } from "../../graph/transfer/sources.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { maxTextLength, maxTitleLength, timeText } from "../../operation/fields.ts";
import { firstColumn } from "../../store/sql.ts";
import { firstLine } from "../../text/first-line.ts";
import { FileShare, FileStrength } from "../decay/file-strength.ts";
import { memoryDocument } from "./document.ts";
import { latestTextsOf } from "./duplicates/latest-texts.ts";
import { graphRowsOf } from "./graph-rows.ts";
import { MemoryOrigin } from "./memory-origin.ts";
import { type MemoryRow, MemoryType, memoryRecord } from "./record.ts";
import { memoryRows } from "./rows.ts";
import { newCurve, type StrengthCurve, strengthAt } from "./strength/strength.ts";
import { titleFromContent } from "./titles/present-titles.ts";
import { oldestVersion } from "./versions/oldest-version.ts";

const MemoryInFile = z.object({
  id: FileId,
  title: redactedTitle(maxTitleLength).optional(),
  content: redactedText(maxTextLength),
  type: FileText.default("fact"),
  concepts: RedactedTags,
  files: FilePaths,
  strength: FileStrength,
  version: z.number().int().min(1).default(1),
  isLatest: z.boolean().default(true),
  project: FileText.optional(),
  projectKey: FileText.optional(),
  agentId: FileId.optional(),
  sourceObservationIds: FileTexts,
  forgetAfter: FileTime.optional(),
  createdAt: FileTime,
  updatedAt: FileTime.optional(),
  sessionIds: FileTexts,
  parentId: FileId.optional(),
  supersedes: FileTexts,
  relatedIds: FileTexts,
  recallCount: z.number().int().min(0).default(0),
  lastRecalledAt: FileTime.optional(),
  stabilityDays: z.number().positive().optional(),
  strengthAnchor: FileShare.optional(),
  strengthAnchorAt: FileTime.optional(),
  origin: MemoryOrigin.extend({ capturedAt: FileTime.transform((time) => timeText(time)) }).optional(),
});
type MemoryInFile = z.output<typeof MemoryInFile>;

export const memoryCollection = tableCollection({
  name: "memories",
  rows: memoryRows,
  schema: MemoryInFile,
  words: "content",
  record: (row, { now }) => ({
    ...memoryRecord(row, now),
    ...projectKeyOf(row),
    stabilityDays: row.stabilityDays,
    strengthAnchor: row.strengthAnchor,
    strengthAnchorAt: timeText(row.strengthAnchorAt),
  }),
  row: async (given, writing): Promise<MemoryRow> => {
    const updatedAt = given.updatedAt ?? given.createdAt;
    const type = typeOf(given, writing);
    const earlier = earlierOf(given, writing);
    return {
      id: given.id,
      title: given.title ?? firstLine(given.content, titleFromContent),
      content: given.content,
      type,
      concepts: given.concepts,
      files: given.files,
      version: given.version,
      isLatest: given.isLatest,
      ...(await projectFields(writing, given.project, given.projectKey)),
      agentId: given.agentId ?? null,
      sourceObservationIds: given.sourceObservationIds,
      sessionIds: given.sessionIds,
      ...earlier,
      relatedIds: given.relatedIds,
      forgetAfter: given.forgetAfter ?? null,
      createdAt: given.createdAt,
      updatedAt,
      ...curveOf(given, type, updatedAt),
      recallCount: given.recallCount,
      lastRecalledAt: given.lastRecalledAt ?? null,
      origin: given.origin ?? null,
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
  tombstones: {
    kind: "memory",
    changed: (row, updatedAt) => ({ ...row, updatedAt }),
  },
  withUse: withRecalls,
  unite: (kept, other) => ({ ...kept, sessionIds: united(kept.sessionIds, other.sessionIds) }),
  index: {
    kind: "memory",
    document: (row) => (row.isLatest ? memoryDocument(row) : undefined),
  },
  onWritten: async (rows, writing) => {
    const { tx, ground, touchedProjects } = writing;
    latestTextsOf(ground.store).clear();
    if (writing.strategy !== "newest") warnOfEviction(rows, writing);
    for (const { projectKey } of rows) if (projectKey !== null) touchedProjects.add(projectKey);
    await announceSources(
      tx.sql,
      "memory",
      rows.map(({ id, agentId }) => ({ ref: id, agentId })),
    );
  },
  onClear: ({ tx }) => detachAll(tx.sql, "memory"),
  settle: (writing) => settleMemories(writing),
});

/** A later memory with the strength of whichever of the two was recalled last. */
function withRecalls(later: MemoryRow, stored: MemoryRow): MemoryRow {
  const { strengthAnchor, strengthAnchorAt, stabilityDays } =
    stored.strengthAnchorAt > later.strengthAnchorAt ? stored : later;
  const recalls = [later.lastRecalledAt, stored.lastRecalledAt].filter((time) => time !== null);
  return {
    ...later,
    strengthAnchor,
    strengthAnchorAt,
    stabilityDays,
    recallCount: Math.max(later.recallCount, stored.recallCount),
    lastRecalledAt: recalls.length === 0 ? null : Math.max(...recalls),
  };
}

/** Repairs the links between memories: of all, or of those that arrived and their versions. */
export async function settleMemories(writing: Writing, arrived?: readonly string[]): Promise<void> {
  const among = arrived === undefined ? null : JSON.stringify(arrived);
  await keepOneLatest(writing, among);
  await dropUnknownRelated(writing, among);
  await attachAnnounced(writing, "memory", graphRowsOf);
}

/** An old backup brings back what the daemon deletes again within the hour. */
function warnOfEviction(rows: readonly MemoryRow[], { ground, warn }: Writing): void {
  const now = ground.now();
  const { retentionThreshold } = ground.settings;
  for (const row of rows) {
    if (row.forgetAfter !== null && row.forgetAfter <= now)
      warn("memories: one has expired, so the daemon's next sweep deletes it again");
    else if (row.isLatest && strengthAt(row, now) < retentionThreshold)
      warn(
        "memories: one has faded below MEMSVC_RETENTION_THRESHOLD, so the daemon's next sweep deletes it again; 0 keeps it",
      );
  }
}

function typeOf({ type }: MemoryInFile, { warn }: Writing): MemoryRow["type"] {
  const known = MemoryType.safeParse(type);
  if (!known.success) warn("memories: an unknown type became fact");
  return known.data ?? "fact";
}

/**
 * The parent and the earlier versions of a memory, never itself. A field that is missing is derived from the
 * other.
 */
function earlierOf(
  { id, parentId, supersedes }: MemoryInFile,
  { warn }: Writing,
): Pick<MemoryRow, "parentId" | "supersedes"> {
  if (parentId === id || supersedes.includes(id))
    warn("memories: a memory that supersedes itself was taken without that");
  const parent = parentId === id ? undefined : parentId;
  const older = supersedes.filter((one) => one !== id);
  return {
    parentId: parent ?? older[0] ?? null,
    supersedes: older.length > 0 || parent === undefined ? older : [parent],
  };
}

function curveOf(given: MemoryInFile, type: MemoryRow["type"], updatedAt: number): StrengthCurve {
  return {
    strengthAnchor: given.strengthAnchor ?? given.strength,
    strengthAnchorAt: given.strengthAnchorAt ?? updatedAt,
    stabilityDays: given.stabilityDays ?? newCurve(type, updatedAt).stabilityDays,
  };
}

/**
 * Makes only the highest version of each memory the latest. Versions belong together if they have the same
 * oldest one.
 */
async function keepOneLatest({ tx, warn }: Writing, among: string | null): Promise<void> {
  const ids = await firstColumn(
    tx.sql,
    `SELECT id FROM (SELECT id, row_number() OVER (
         PARTITION BY ${oldestVersion} ORDER BY version DESC, updated_at DESC, id DESC
       ) AS place FROM memories WHERE is_latest = 1 AND (?1 IS NULL OR ${oldestVersion} IN (
         SELECT ${oldestVersion} FROM memories WHERE id IN (SELECT value FROM json_each(?1)))))
     WHERE place > 1`,
    [among],
  );
  if (ids.length === 0) return;
  await tx.sql.run("UPDATE memories SET is_latest = 0 WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);
  await removeDocuments(tx, "memory", ids);
  warn("memories: of two latest versions of one memory the higher stays");
}

/** Drops related memories that do not exist: a file may list some, and a replace may leave some. */
async function dropUnknownRelated({ tx, warn }: Writing, among: string | null): Promise<void> {
  const { changes } = await tx.sql.run(
    `UPDATE memories SET related_ids = (SELECT json_group_array(value) FROM json_each(related_ids)
       WHERE value IN (SELECT id FROM memories))
     WHERE (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) AND related_ids <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(related_ids) WHERE value NOT IN (SELECT id FROM memories))`,
    [among],
  );
  if (changes > 0) warn("memories: related ones that do not exist were dropped");
}
