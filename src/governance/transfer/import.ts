import { keepWithinQuota } from "../../capture/images/eviction.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { withLargeWordBuffer } from "../../index/word-buffer.ts";
import { giveHeapsRoom } from "../../jobs/heaps.ts";
import type { ByteStream } from "../../operation/define.ts";
import { noteFileArrived } from "../../sharing/mesh/arrivals.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { version } from "../../version.ts";
import type { Audit } from "../audit/audit.ts";
import type { Collection, ImportStrategy, Writing } from "./collection.ts";
import { collections } from "./collections.ts";
import { type CheckedFile, readExportFile } from "./read-file.ts";
import { Spool } from "./spool.ts";
import { Warnings } from "./warnings.ts";
import { noNotes } from "./writing-notes.ts";

/** Rows of most collections that are stored at once: enough that what each batch costs in itself does not show. */
const usualRowsAtOnce = 250;

interface Counts {
  written: number;
  skipped: number;
}

export interface Imported {
  readonly strategy: ImportStrategy;
  readonly sessions: number;
  readonly observations: number;
  readonly memories: number;
  readonly summaries: number;
  readonly skipped: number;
  readonly counts: Record<string, Counts>;
  readonly warnings: string[];
  readonly version: string;
  readonly safetySnapshotId?: string;
  /** Present in the answer of a dry run, as is what a replace would delete, in rows by collection. */
  readonly dryRun?: true;
  readonly deleted?: Record<string, number>;
}

interface Services {
  readonly projects: Projects;
  readonly audit: Audit;
  readonly snapshots: { takeSafety(message: string): Promise<string> };
}

/** What the audit says that an import was part of. */
interface ImportEntry {
  readonly operation: "import" | "migrate";
  readonly functionId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One import, as it stands once its file is read. */
interface ImportWork {
  readonly ground: Ground;
  readonly services: Services;
  readonly file: CheckedFile;
  readonly spool: Spool;
  /** Of the reading of the file. */
  readonly warnings: Warnings;
  readonly entry: ImportEntry;
}

const ownEntry: ImportEntry = { operation: "import", functionId: "store.import", details: {} };

/**
 * Takes an export into the store: all of it is checked first, then all of it is stored in one transaction, or
 * nothing; a dry run, which the body or the caller asks for, does the same and keeps nothing of it. Errors:
 * invalid_input with the first faults, too_large.
 */
export async function importStore(
  ground: Ground,
  services: Services,
  body: ByteStream,
  { entry = ownEntry, ...asked }: DryRun & { readonly entry?: ImportEntry } = {},
): Promise<Imported> {
  const spool = new Spool(ground.home);
  const takeRoomBack = giveHeapsRoom();
  try {
    const warnings = new Warnings();
    const read = await readExportFile(ground, body, spool, warnings);
    const file = { ...read, dryRun: asked.dryRun ?? read.dryRun };
    await graphSettled(ground);
    const work: ImportWork = { ground, services, file, spool, warnings, entry };
    if (file.dryRun) return await tryOut(work);
    const safetySnapshotId =
      file.strategy === "replace"
        ? await services.snapshots.takeSafety("before an import that replaces")
        : undefined;
    const { deleted: _gone, ...done } = await ground.store.writeAlone((tx) => store(tx, work));
    ground.wakeJobs();
    if ((done.counts.images?.written ?? 0) > 0) await keepWithinQuota(ground);
    return { ...done, ...(safetySnapshotId === undefined ? {} : { safetySnapshotId }) };
  } finally {
    // It reads aliases that it has written itself, and may have been rolled back.
    services.projects.forgetKnown();
    takeRoomBack();
    await spool.close();
  }
}

async function tryOut(work: ImportWork): Promise<Imported> {
  const { deleted, ...done } = await work.ground.store.writeAlone((tx) => store(tx, work), { dryRun: true });
  return { ...done, ...(work.file.strategy === "replace" ? { deleted } : {}), dryRun: true };
}

async function store(
  tx: Transaction,
  { ground, services, file, spool, warnings: found, entry }: ImportWork,
): Promise<Imported & { readonly deleted: Record<string, number> }> {
  const { strategy, dryRun, present } = file;
  const warnings = new Warnings();
  const writing: Writing = {
    tx,
    ground,
    projects: services.projects,
    strategy,
    dryRun,
    warn: (sentence) => warnings.add(sentence),
    ...noNotes(),
  };
  const deleted = strategy === "replace" ? await clearPresent(writing, present) : {};
  const counts = await putPresent(writing, present, spool, deleted);
  for (const own of collections) await own.settle?.(writing);
  await countTakenOut(writing, counts);
  await noteFileArrived(tx.sql, ground.now());
  const { operation, functionId, details } = entry;
  await services.audit.record(tx, {
    operation,
    functionId,
    targetIds: [],
    details: { ...details, strategy, counts },
  });
  const written = (name: string) => counts[name]?.written ?? 0;
  return {
    strategy,
    sessions: written("sessions"),
    observations: written("observations"),
    memories: written("memories"),
    summaries: written("summaries"),
    skipped: Object.values(counts).reduce((sum, { skipped }) => sum + skipped, 0),
    counts,
    warnings: [...found.list(), ...warnings.list()],
    version,
    deleted,
  };
}

/** Deletes what a replace takes the place of; returns how many rows of each collection. */
async function clearPresent(
  writing: Writing,
  present: CheckedFile["present"],
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const own of collections.toReversed()) {
    if (own.clearedLast !== true && isReplaced(own, present)) await clearOne(own, writing, deleted);
  }
  return deleted;
}

async function clearOne(own: Collection, writing: Writing, deleted: Record<string, number>): Promise<void> {
  const cleared = (await own.clear?.(writing)) ?? 0;
  if (cleared > 0) deleted[own.name] = cleared;
}

/** Sessions and observations go together: one without the other would hang in the air. */
function isReplaced({ name }: Collection, present: ReadonlySet<string>): boolean {
  const isCapture = name === "sessions" || name === "observations";
  return isCapture ? present.has("sessions") || present.has("observations") : present.has(name);
}

async function putPresent(
  writing: Writing,
  present: CheckedFile["present"],
  spool: Spool,
  deleted: Record<string, number>,
): Promise<Record<string, Counts>> {
  const counts: Record<string, Counts> = {};
  await withLargeWordBuffer(writing.tx.sql, async () => {
    for (const own of collections) {
      if (own.clearedLast === true && writing.strategy === "replace" && isReplaced(own, present))
        await clearOne(own, writing, deleted);
      if (present.has(own.name) || spool.count(own.name) > 0)
        counts[own.name] = await putAll(own, writing, spool);
    }
  });
  return counts;
}

async function putAll(own: Collection, writing: Writing, spool: Spool): Promise<Counts> {
  const counts: Counts = { written: 0, skipped: 0 };
  for await (const batch of spool.batches(own.name, own.rowsAtOnce ?? usualRowsAtOnce)) {
    const written = await own.put(writing, batch);
    counts.written += written;
    counts.skipped += batch.length - written;
  }
  return counts;
}

/** Rows that were stored, but did not stay once all the others were there, count as skipped. */
async function countTakenOut(writing: Writing, counts: Record<string, Counts>): Promise<void> {
  for (const own of collections) {
    const count = counts[own.name];
    const takenOut = (await own.takenOut?.(writing)) ?? 0;
    if (count === undefined || takenOut === 0) continue;
    count.written -= takenOut;
    count.skipped += takenOut;
  }
}
