import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Ground } from "../../ground.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { unlessUnreadable } from "../../paths/system-refusal.ts";
import { withTemporaryFolder } from "../../paths/temporary-folder.ts";
import { databaseMagic } from "../../store/file-header.ts";
import type { FileWork } from "../../store/file-work.ts";
import { Store } from "../../store/store.ts";
import type { AskedBy } from "../audit/audit.ts";
import { exportedText } from "../transfer/export.ts";
import { exportText } from "../transfer/export-text.ts";
import { type ImportServices, importStore } from "../transfer/import.ts";
import type { MergedFile } from "./answers.ts";
import { copyDatabase } from "./copy-database.ts";

export interface MergeInput {
  readonly dbPath: string;
  readonly cwd?: string | undefined;
}

export interface MergeWork extends MergeInput {
  readonly by?: AskedBy;
}

/** The absolute path of the file that a request names. Errors: forbidden, not_found. */
export function filePlace({ settings, home }: Ground, { dbPath, cwd }: MergeInput): string {
  return confinedPath(dbPath, "read", { roots: settings.allowedRoots, cwd, home });
}

/**
 * Imports the records of a file that the store does not have. The file is a store of any known schema, or an
 * export; it is only read. Errors: forbidden, not_found, invalid_input, too_large.
 */
export async function mergeFile(
  ground: Ground,
  services: ImportServices,
  fileWork: FileWork,
  work: MergeWork,
  jobId: string | undefined,
): Promise<MergedFile> {
  const path = filePlace(ground, work);
  const entry = {
    operation: "migrate",
    functionId: "store.migrate",
    details: { step: "db-path", path, jobId },
  } as const;
  const take = (text: ByteStream) => importStore(ground, services, skipping(text), { entry, by: work.by });
  const { sessions, observations, summaries, memories, skipped } = (await unlessUnreadable(path, () =>
    isDatabase(path),
  ))
    ? await withCopy(ground, fileWork, path, (store) => take(textOf(ground, store, dirname(path))))
    : await take(exportText(createReadStream(path))).catch((error: unknown) => {
        throw isMemsvcError(error, "invalid_input") && error.issues === undefined
          ? unreadable(path, "it is neither a database nor JSON", error)
          : error;
      });
  return {
    sessionCount: sessions,
    obsCount: observations,
    summaryCount: summaries,
    memoryCount: memories,
    skipped,
  };
}

/**
 * Wraps the export in the body of an import. The strategy comes last, so that the file cannot set another
 * one.
 */
async function* skipping(text: ByteStream): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"exportData":');
  yield* text;
  yield Buffer.from(',"strategy":"skip"}');
}

async function isDatabase(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) throw unreadable(path, "it is not a file");
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(databaseMagic.length),
      position: 0,
    });
    return buffer.toString("latin1", 0, bytesRead) === databaseMagic;
  } finally {
    await file.close();
  }
}

/** Opens a copy of the file: opening a database changes it, and migrating an older schema even more. */
async function withCopy<Result>(
  ground: Ground,
  fileWork: FileWork,
  path: string,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder(ground.home, "migrate", async (folder) => {
    const copy = join(folder, "store.db");
    if (!(await copyDatabase(path, copy))) throw unreadable(path, "it is written to all the time");
    const store = await opened(copy, fileWork, path);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  });
}

async function opened(copy: string, fileWork: FileWork, path: string): Promise<Store> {
  try {
    await fileWork.inspect(copy, []);
    return await Store.open({ path: copy, durability: "relaxed" });
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    if (error.code === "store_newer") throw unreadable(path, "it was written by a newer memsvc", error);
    if (error.code !== "store_damaged") throw error;
    throw unreadable(path, "it is damaged, in use, or a database of another program", error);
  }
}

function unreadable(path: string, why: string, cause?: unknown): MemsvcError {
  return new MemsvcError("invalid_input", `${path} cannot be imported: ${why}`, {
    hint: "name a store file of memsvc that no daemon uses, or an export",
    cause,
  });
}

async function* textOf(ground: Ground, store: Store, home: string): AsyncGenerator<Uint8Array> {
  const view = await store.openView();
  try {
    const { now, settings } = ground;
    yield* exportedText({ now, settings, home }, view, { includeImages: true });
  } finally {
    await view.close();
  }
}
