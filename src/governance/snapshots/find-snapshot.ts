import { MemsvcError } from "../../operation/errors.ts";
import type { Manifest } from "./record.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";

/** The hint when the requested snapshot cannot be used. */
export const takeAnother = "take another one: memsvc snapshot list";

const beginsChecksum = /^[\da-f]{7,64}$/iu;

/** Names a snapshot by its id, or by the beginning of its checksum. */
export interface SnapshotChoice {
  /** The beginning of the checksum, too: the list shows it beside the id. */
  readonly snapshotId?: string | undefined;
  readonly commitHash?: string | undefined;
}

/** The manifest of the requested snapshot. Errors: not_found; conflict when the hash fits several. */
export async function findSnapshot(
  snapshotFiles: SnapshotFiles,
  { snapshotId, commitHash }: SnapshotChoice,
): Promise<Manifest> {
  const manifests = await snapshotFiles.manifests();
  const named = snapshotId ?? commitHash ?? "";
  const beginning = beginsChecksum.test(named) ? named.toLowerCase() : undefined;
  const found = manifests.filter(
    ({ id, sha256 }) => id === snapshotId || (beginning !== undefined && sha256.startsWith(beginning)),
  );
  const [manifest, ...others] = found;
  if (manifest === undefined) {
    throw new MemsvcError("not_found", `snapshot ${named} is not known`, {
      hint: "list the known ones: memsvc snapshot list",
    });
  }
  if (others.length > 0) {
    throw new MemsvcError("conflict", `${named} matches ${found.length} snapshots`, {
      hint: "give more digits of the hash, or the snapshotId",
    });
  }
  if (!snapshotFiles.isThere(manifest.id))
    throw new MemsvcError(
      "not_found",
      `the file of snapshot ${manifest.id} is missing: there is no file ${snapshotFiles.fileOf(manifest.id)}`,
      { hint: takeAnother },
    );
  return manifest;
}
