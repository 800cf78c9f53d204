import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { updateHint } from "../../store/migrate.ts";
import { errorCode } from "../../system/error-code.ts";
import { isSystemError } from "../../system/is-system-error.ts";
import { takeAnother } from "./find-snapshot.ts";
import type { Manifest } from "./record.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";

/** Reads the whole snapshot to check that it may replace the store. Error: conflict, with the reason. */
export async function refuseUnsound(snapshotFiles: SnapshotFiles, manifest: Manifest): Promise<void> {
  try {
    refuseOtherChecksum(manifest, await snapshotFiles.checksum(manifest.id));
    await snapshotFiles.inspect(snapshotFiles.fileOf(manifest.id));
  } catch (error) {
    const found = findingOf(error);
    if (found === undefined) throw error;
    throw new MemsvcError("conflict", `snapshot ${manifest.id} ${found.finding}; nothing was changed`, {
      hint: found.hint,
      cause: error,
    });
  }
}

function findingOf(error: unknown): { readonly finding: string; readonly hint: string } | undefined {
  if (isMemsvcError(error, "store_newer")) return { finding: "was made by a newer memsvc", hint: updateHint };
  if (isMemsvcError(error, "store_damaged"))
    return { finding: "is damaged, or no store of memsvc", hint: takeAnother };
  if (isSystemError(error)) {
    const hint = `look at who owns its file, and at its permissions; or ${takeAnother}`;
    return { finding: `cannot be read (${errorCode(error)})`, hint };
  }
  return undefined;
}

/** Error: conflict when the checksum that was read differs from the stored one. */
export function refuseOtherChecksum({ id, sha256 }: Manifest, actual: string): void {
  if (actual === sha256) return;
  throw new MemsvcError("conflict", `the checksum of snapshot ${id} is wrong; nothing was changed`, {
    hint: takeAnother,
    extra: { expected: sha256, actual },
  });
}
