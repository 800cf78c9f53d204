import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import type { Manifest } from "./record.ts";
import type { SnapshotShelf } from "./shelf.ts";

/** Reads a snapshot through. Errors: conflict when its checksum is wrong; store_damaged, store_newer. */
export async function refuseUnsound(shelf: SnapshotShelf, manifest: Manifest): Promise<void> {
  refuseOtherChecksum(manifest, await shelf.checksum(manifest.id));
  await shelf.inspect(shelf.fileOf(manifest.id));
}

/** Lets through what may take the store's place. Error: conflict with what is in the way. */
export async function refuseUnrestorable(shelf: SnapshotShelf, manifest: Manifest): Promise<void> {
  try {
    await refuseUnsound(shelf, manifest);
  } catch (error) {
    if (!isMemsvcError(error, "store_newer") && !isMemsvcError(error, "store_damaged")) throw error;
    const reason = error.code === "store_newer" ? "was made by a newer memsvc" : "is damaged";
    throw new MemsvcError("conflict", `snapshot ${manifest.id} ${reason}; nothing was changed`, {
      cause: error,
    });
  }
}

/** Lets through what was read, or copied, as it was stored. Error: conflict. */
export function refuseOtherChecksum({ id, sha256 }: Manifest, actual: string): void {
  if (actual === sha256) return;
  throw new MemsvcError("conflict", `the checksum of snapshot ${id} is wrong; nothing was changed`, {
    extra: { expected: sha256, actual },
  });
}
