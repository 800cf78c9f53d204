import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isMemsvcError } from "../../operation/errors.ts";
import { sha256OfFile } from "../../paths/file-checksum.ts";
import { fsyncFolder } from "../../paths/fsync.ts";
import { isOrdinaryFile } from "../../paths/is-ordinary-file.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { renameOverSync } from "../../paths/rename-over.ts";
import { damagedStore } from "../../store/damage.ts";
import type { RowCounts } from "../../store/database-file.ts";
import { storeFault } from "../../store/faults.ts";
import type { FileWork } from "../../store/file-work.ts";
import { schemaVersion } from "../../store/migrate.ts";
import { releaseClosedDatabases } from "../../store/release-closed-databases.ts";
import { errorCode } from "../../system/error-code.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { version } from "../../version.ts";
import { Manifest, type SnapshotKind } from "./record.ts";

const tables = {
  sessions: "sessions",
  observations: "observations",
  memories: "memories",
  graphNodes: "graph_nodes",
} as const;

export function snapshotsFolder(home: string): string {
  return join(home, "snapshots");
}

interface NewSnapshot {
  readonly id: string;
  readonly createdAt: string;
  readonly message: string;
  readonly kind: SnapshotKind;
}

/** The folder of the snapshots. Each has a database file and a manifest, which is written last. */
export class SnapshotFiles {
  readonly folder: string;
  readonly #files: FileWork;

  constructor(folder: string, files: FileWork) {
    this.folder = folder;
    this.#files = files;
  }

  fileOf(id: string): string {
    return join(this.folder, `${id}.db`);
  }

  isThere(id: string): boolean {
    return isOrdinaryFile(this.fileOf(id));
  }

  /**
   * Copies a database that may be in use. Leaves nothing behind when it fails. Errors: disk_full,
   * store_damaged.
   */
  async add(database: string, snapshot: NewSnapshot): Promise<Manifest> {
    // The name marks the copy as unfinished until its manifest is written.
    const file = this.#unfinished(snapshot.id);
    try {
      makeFolder(this.folder);
      // First, because unfinished copies may be what has filled the disk.
      await this.#removeUnfinished();
      await this.#files.copy(database, file);
      const rows = await this.#rowsIn(file, database);
      const manifest: Manifest = {
        ...snapshot,
        sha256: await sha256OfFile(file),
        version,
        schemaVersion,
        sizeBytes: (await stat(file)).size,
        counts: {
          sessions: rows[tables.sessions] ?? 0,
          observations: rows[tables.observations] ?? 0,
          memories: rows[tables.memories] ?? 0,
          graphNodes: rows[tables.graphNodes] ?? 0,
        },
      };
      const manifestFile = join(this.folder, `${snapshot.id}.json`);
      await writeFile(`${manifestFile}.part`, `${JSON.stringify(manifest, undefined, 2)}\n`, {
        mode: 0o600,
        flush: true,
      });
      await releaseClosedDatabases();
      // Both renames together: a database without a manifest would never be found again.
      renameOverSync(file, this.fileOf(snapshot.id));
      renameOverSync(`${manifestFile}.part`, manifestFile);
      await fsyncFolder(this.folder);
      return manifest;
    } catch (error) {
      await this.remove(snapshot.id);
      throw storeFault(error, this.fileOf(snapshot.id));
    }
  }

  /**
   * Reads the whole new copy. SQLite copies some damage unchanged, so damage in the copy means damage in the
   * original.
   */
  async #rowsIn(copy: string, database: string): Promise<RowCounts> {
    try {
      return await this.#files.inspect(copy, Object.values(tables));
    } catch (error) {
      if (!isMemsvcError(error, "store_damaged")) throw error;
      throw damagedStore(database, "is damaged: a copy of it is not sound", error);
    }
  }

  /** All valid manifests, newest first; other files are skipped. */
  async manifests(): Promise<Manifest[]> {
    const names = existsSync(this.folder) ? await readdir(this.folder) : [];
    const found: Manifest[] = [];
    for (const name of names) {
      if (!/^snp_[0-9a-z]{26}\.json$/u.test(name)) continue;
      const manifest = await readManifest(join(this.folder, name));
      if (manifest !== undefined && name === `${manifest.id}.json`) found.push(manifest);
    }
    return found.sort((one, other) => compare(other, one));
  }

  /** Copies a snapshot's file to a path; returns the checksum of the copied bytes. */
  async copyTo(id: string, path: string): Promise<string> {
    const hash = createHash("sha256");
    const counting = new Transform({
      transform: (chunk, _encoding, done) => {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(
      createReadStream(this.fileOf(id)),
      counting,
      createWriteStream(path, { mode: 0o600, flags: "wx" }),
    );
    return hash.digest("hex");
  }

  checksum(id: string): Promise<string> {
    return sha256OfFile(this.fileOf(id));
  }

  /** Reads a whole database file. Errors: store_damaged, store_newer. */
  async inspect(path: string): Promise<void> {
    await this.#files.inspect(path, []);
  }

  /** Removes the manifest last, so that an interrupted removal can be seen. */
  async remove(id: string): Promise<void> {
    await releaseClosedDatabases();
    const copy = this.#unfinished(id);
    const manifest = join(this.folder, `${id}.json`);
    for (const path of [`${copy}.part`, copy, this.fileOf(id), `${manifest}.part`, manifest])
      await rm(path, { force: true });
  }

  /** The name of a copy while this process makes it. */
  #unfinished(id: string): string {
    return `${this.fileOf(id)}.${process.pid}.part`;
  }

  /**
   * Removes what killed processes left while making a snapshot, including SQLite's journal of the copy. This
   * does not wait until the files are old: a process that is killed in every attempt and restarted would fill
   * the disk first.
   */
  async #removeUnfinished(): Promise<void> {
    const unfinished = /^snp_[0-9a-z]{26}\.(?:db|json)(?:\.(\d+))?(?:\.part)+(?:-journal)?$/u;
    await removeUnfinished(
      this.folder,
      (name) => unfinished.test(name),
      (name) => Number(unfinished.exec(name)?.[1] ?? Number.NaN),
    );
  }
}

const notForUs = ["ENOENT", "EACCES", "EPERM"];

async function readManifest(path: string): Promise<Manifest | undefined> {
  if (!isOrdinaryFile(path)) return undefined;
  try {
    return Manifest.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch (error) {
    // The file is not ours (as of a snapshot that was made with sudo), or damaged (a snapshot without a manifest
    // cannot be verified), or another process has just removed it.
    if (error instanceof SyntaxError || notForUs.includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

function compare(one: Manifest, other: Manifest): number {
  return compareTexts(one.createdAt, other.createdAt) || compareTexts(one.id, other.id);
}
