import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

export const SnapshotKind = z.enum(["manual", "timer", "safety"]);
export type SnapshotKind = z.infer<typeof SnapshotKind>;

const count = z.number().int();

/** How many rows of the main tables a snapshot holds. */
export const SnapshotStats = z.object({
  sessions: count.describe("sessions in it"),
  observations: count.describe("observations in it"),
  memories: count.describe("memories in it, all versions"),
  graphNodes: count.describe("graph nodes in it"),
});
export type SnapshotStats = z.infer<typeof SnapshotStats>;

/** The JSON file beside a snapshot's database file. */
export const Manifest = z.object({
  id: z.string().regex(/^snp_[0-9a-z]{26}$/u),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  createdAt: TimeText,
  message: z.string(),
  kind: SnapshotKind,
  version: z.string(),
  schemaVersion: count,
  sizeBytes: count,
  counts: SnapshotStats,
});
export type Manifest = z.infer<typeof Manifest>;

export const Snapshot = z
  .object({
    id: z.string().describe("id of the snapshot"),
    commitHash: z.string().describe("first 40 hex digits of the checksum"),
    sha256: z.string().describe("checksum of its file"),
    createdAt: TimeText.describe("when it was made"),
    message: z.string().describe("the note stored with it"),
    kind: SnapshotKind.describe("made by hand, by the timer, or before a deletion"),
    version: z.string().describe("version of the service that made it"),
    sizeBytes: count.describe("size of its file"),
    stats: SnapshotStats.describe("what it holds"),
    missing: z.boolean().optional().describe("true when its file is gone"),
  })
  .meta({ id: "Snapshot" });
export type Snapshot = z.infer<typeof Snapshot>;

export const Restored = z.object({
  snapshotId: z.string().describe("snapshot that was restored"),
  commitHash: z.string().describe("first 40 hex digits of its checksum"),
  safetySnapshotId: z.string().describe("snapshot of what was there before"),
  counts: SnapshotStats.describe("what the snapshot holds"),
  restored: z.literal(true).describe("the snapshot was restored"),
});
export type Restored = z.infer<typeof Restored>;

export const RestoreTried = z.object({
  snapshotId: z.string().describe("snapshot that would be restored"),
  commitHash: z.string().describe("first 40 hex digits of its checksum, which is right"),
  counts: SnapshotStats.describe("what the snapshot holds"),
  present: SnapshotStats.describe("what the store holds, which would be replaced"),
  restored: z.literal(false).describe("nothing was changed"),
  dryRun: z.literal(true).describe("nothing was changed"),
});
export type RestoreTried = z.infer<typeof RestoreTried>;

/** A second name for a snapshot: the first 40 digits of its checksum, like a commit hash. */
export function commitHashOf({ sha256 }: Manifest): string {
  return sha256.slice(0, 40);
}

export function snapshotRecord(manifest: Manifest, isMissing = false): Snapshot {
  const { schemaVersion: _schema, counts, ...fields } = manifest;
  return {
    ...fields,
    commitHash: commitHashOf(manifest),
    stats: counts,
    ...(isMissing ? { missing: true } : {}),
  };
}
