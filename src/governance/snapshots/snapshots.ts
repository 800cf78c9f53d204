import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { withWritten } from "../../store/faults.ts";
import type { FileWork } from "../../store/file-work.ts";
import type { Paged, Paging } from "../../store/page.ts";
import { hasRow } from "../../store/sql.ts";
import { redactText } from "../../text/redaction/redact.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import { findSnapshot, type SnapshotChoice } from "./find-snapshot.ts";
import { beyondKept, isDatedAhead } from "./kept-snapshots.ts";
import { presentStats } from "./present-stats.ts";
import {
  commitHashOf,
  type Manifest,
  type Restored,
  type RestoreTried,
  type Snapshot,
  type SnapshotKind,
  snapshotRecord,
} from "./record.ts";
import { refuseOtherChecksum, refuseUnsound } from "./refuse-unsound.ts";
import { SnapshotFiles, snapshotsFolder } from "./snapshot-files.ts";

/** Gives a restore exclusive use of the store. */
interface Stillness {
  /**
   * Waits until all running requests and jobs except the caller's have ended, then runs the work, holding new
   * ones back meanwhile. Error: unavailable when they do not end in time.
   */
  keep<T>(work: () => Promise<T>): Promise<T>;
}

interface Services {
  readonly audit: Audit;
}

/** Makes verified copies of the whole store, and restores them. */
export class Snapshots {
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #snapshotFiles: SnapshotFiles;
  /** The last queued operation; each waits for the one before it. */
  #last: Promise<unknown> = Promise.resolve();
  #isRestoring = false;
  /** Set by a process that serves several requests; otherwise a restore runs at once. */
  stillness: Stillness = { keep: (work) => work() };

  constructor(ground: Ground, services: Services, files: FileWork) {
    this.#ground = ground;
    this.#services = services;
    this.#snapshotFiles = new SnapshotFiles(snapshotsFolder(ground.home), files);
  }

  async list({ limit, offset }: Paging): Promise<Paged & { readonly snapshots: Snapshot[] }> {
    const manifests = await this.#snapshotFiles.manifests();
    const page = manifests.slice(offset, offset + limit);
    return {
      snapshots: page.map((manifest) => snapshotRecord(manifest, !this.#snapshotFiles.isThere(manifest.id))),
      total: manifests.length,
      offset,
      limit,
    };
  }

  /** Makes a snapshot; calls wait for each other. Errors: disk_full; conflict for a remote store. */
  create(message: string, kind: SnapshotKind, by?: AskedBy): Promise<Snapshot> {
    return this.#inTurn(async () => {
      await graphSettled(this.#ground);
      const manifest = await this.#copy(message, kind);
      await this.#recordNew(manifest, by);
      await this.#dropOld();
      return snapshotRecord(manifest);
    });
  }

  /** Makes a snapshot before a deleting operation; returns its id. Error: conflict for a remote store. */
  async takeSafety(message: string, by?: AskedBy): Promise<string> {
    return (await this.create(message, "safety", by)).id;
  }

  /**
   * Takes back a safety snapshot, because the operation has changed nothing: on a nearly full disk each further attempt
   * would fill it more, and old snapshots would be dropped for it.
   */
  dropSafety(id: string): Promise<void> {
    return this.#inTurn(() => this.#snapshotFiles.remove(id));
  }

  /** Makes a timed snapshot if anything was stored since the newest one. */
  async createIfChanged(): Promise<Snapshot | undefined> {
    const newest = (await this.#snapshotFiles.manifests()).find(
      (manifest) => !isDatedAhead(manifest, this.#ground.now()),
    );
    if (newest !== undefined && !(await this.#changedSince(Date.parse(newest.createdAt)))) return undefined;
    return this.create("by timer", "timer");
  }

  /** Reads a whole snapshot to check it. Errors: not_found; conflict, with what is wrong with it. */
  async verify(id: string): Promise<Snapshot> {
    const manifest = await findSnapshot(this.#snapshotFiles, { snapshotId: id });
    await refuseUnsound(this.#snapshotFiles, manifest);
    return snapshotRecord(manifest);
  }

  /**
   * Finds and checks a snapshot like a restore, and reports both sets of counts without replacing anything.
   * Errors: those of a restore.
   */
  async tryRestore(choice: SnapshotChoice): Promise<RestoreTried> {
    this.#refuseSecond();
    const manifest = await this.#restorable(choice);
    await graphSettled(this.#ground);
    return {
      snapshotId: manifest.id,
      commitHash: commitHashOf(manifest),
      counts: manifest.counts,
      present: await presentStats(this.#ground.store.read.sql),
      restored: false,
      dryRun: true,
    };
  }

  /**
   * Replaces the store by a snapshot while the store stays open. Errors: not_found; conflict when another
   * restore is running, the hash fits several, the checksum is wrong or the schema is newer; unavailable.
   */
  async restore(choice: SnapshotChoice, by: AskedBy = {}): Promise<Restored> {
    this.#refuseSecond();
    this.#isRestoring = true;
    try {
      const manifest = await this.#restorable(choice);
      await graphSettled(this.#ground);
      const safety = await this.stillness.keep(() => this.#inTurn(() => this.#replace(manifest, by)));
      this.#ground.wakeJobs();
      return {
        snapshotId: manifest.id,
        commitHash: commitHashOf(manifest),
        safetySnapshotId: safety.id,
        counts: manifest.counts,
        restored: true,
      };
    } finally {
      this.#isRestoring = false;
    }
  }

  #refuseSecond(): void {
    if (this.#isRestoring) throw new MemsvcError("conflict", "a restore is running");
  }

  async #replace(manifest: Manifest, by: AskedBy): Promise<Manifest> {
    let safety: Manifest | undefined;
    const prepare = async (draft: string) => {
      safety = await this.#copy(`before the restore of ${manifest.id}`, "safety");
      refuseOtherChecksum(manifest, await this.#snapshotFiles.copyTo(manifest.id, draft));
    };
    // A failed restore removes its safety snapshot: on a nearly full disk each further attempt would fill it
    // more.
    await this.#ground.store.replaceDatabase(prepare, async () => {
      if (safety !== undefined) await this.#snapshotFiles.remove(safety.id);
    });
    if (safety === undefined) throw new Error("a restore took no safety snapshot");
    try {
      await this.#record("restore", manifest, by);
    } catch (error) {
      throw withWritten(error, "it is restored, but its audit does not say so");
    }
    await this.#dropOld();
    return safety;
  }

  async #copy(message: string, kind: SnapshotKind): Promise<Manifest> {
    const { store, newId, now } = this.#ground;
    if (!store.isFile) {
      throw new MemsvcError("conflict", "snapshots are copies of a file, and this store is on a server", {
        hint:
          kind === "safety"
            ? "what only adds needs none before it, such as an import with the strategy merge"
            : "use the server's own backups, or memsvc export",
      });
    }
    return this.#snapshotFiles.add(store.path, {
      id: newId("snapshot"),
      createdAt: timeText(now()),
      message: redactText(message),
      kind,
    });
  }

  /**
   * Removes the snapshot when its audit entry fails, since the caller is told that none was made: on a nearly
   * full disk each further attempt would fill it more.
   */
  async #recordNew(manifest: Manifest, by: AskedBy | undefined): Promise<void> {
    try {
      await this.#record("create", manifest, by);
    } catch (error) {
      await this.#snapshotFiles.remove(manifest.id);
      throw error;
    }
  }

  async #record(
    deed: "create" | "restore",
    { id, sha256, kind }: Manifest,
    by: AskedBy | undefined,
  ): Promise<void> {
    const { audit } = this.#services;
    await this.#ground.store.write((tx) =>
      audit.recordUnscoped(tx, by, {
        operation: `snapshot_${deed}`,
        functionId: `snapshot.${deed}`,
        targetIds: [id],
        details: { id, sha256, kind },
      }),
    );
  }

  /** Finds and checks the snapshot for a restore. Errors: those of a restore. */
  async #restorable(choice: SnapshotChoice): Promise<Manifest> {
    const manifest = await findSnapshot(this.#snapshotFiles, choice);
    if (!this.#ground.store.isFile)
      throw new MemsvcError("conflict", "a store on a server cannot be replaced by a file");
    await refuseUnsound(this.#snapshotFiles, manifest);
    return manifest;
  }

  /** Whether the store was changed at or after a time, apart from snapshots and exports. */
  #changedSince(time: number): Promise<boolean> {
    return hasRow(
      this.#ground.store.read.sql,
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM audit_entries WHERE timestamp BETWEEN ?1 AND ?2
           AND operation NOT IN ('snapshot_create', 'export'))
         OR (SELECT received_at FROM observations ORDER BY seq DESC LIMIT 1) BETWEEN ?1 AND ?2`,
      [time, this.#ground.now()],
    );
  }

  async #dropOld(): Promise<void> {
    const { settings, now } = this.#ground;
    const manifests = await this.#snapshotFiles.manifests();
    for (const { id } of beyondKept(manifests, { timersKept: settings.snapshotKeep, now: now() }))
      await this.#snapshotFiles.remove(id);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
