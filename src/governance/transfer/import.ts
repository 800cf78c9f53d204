import { keepWithinQuota } from "../../capture/images/eviction.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import { withLargeWordBuffer } from "../../index/words/word-buffer.ts";
import { enlargeHeaps } from "../../jobs/heaps.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { noteAllArrived } from "../../sharing/mesh/arrivals.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { version } from "../../version.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { Imported } from "./answers.ts";
import { checkBody, keepBody, type Outline } from "./body-outline.ts";
import type { ImportedCollection, Writing } from "./collection.ts";
import { collections } from "./collections.ts";
import { newImportState } from "./import-state.ts";
import type { FileHead } from "./read-file.ts";
import type { RowBatch } from "./row-batches.ts";
import { inlineRowReading, type RowReading } from "./row-reading.ts";
import { TemporaryFile } from "./temporary-file.ts";
import { Warnings } from "./warnings.ts";

interface Counts {
  written: number;
  skipped: number;
}

export interface ImportServices {
  readonly projects: Projects;
  readonly audit: Audit;
  readonly snapshots: {
    takeSafety(message: string, by: AskedBy): Promise<string>;
    dropSafety(id: string): Promise<void>;
  };
}

/** The audit entry that an import writes. */
interface ImportEntry {
  readonly operation: "import" | "migrate";
  readonly functionId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An import whose body has arrived. */
interface ImportWork {
  readonly ground: Ground;
  readonly services: ImportServices;
  readonly readRows: RowReading;
  readonly body: TemporaryFile;
  readonly outline: Outline;
  /** Warnings about the body as a whole. */
  readonly warnings: Warnings;
  readonly entry: ImportEntry;
  readonly by: AskedBy;
}

interface ImportOptions extends DryRun {
  readonly entry?: ImportEntry | undefined;
  readonly by?: AskedBy | undefined;
  /** Where rows are read and checked; by default on the caller's thread. */
  readonly readRows?: RowReading | undefined;
}

const ownEntry: ImportEntry = { operation: "import", functionId: "store.import", details: {} };

/**
 * Imports an export in one transaction, all of it or nothing: rows are stored while later ones are checked,
 * and the first fault rolls everything back. A dry run, which the body or the caller asks for, does the same
 * and always rolls back. Errors: invalid_input with the first faults; too_large.
 */
export async function importStore(
  ground: Ground,
  services: ImportServices,
  given: ByteStream,
  { entry = ownEntry, by = {}, readRows = inlineRowReading, dryRun }: ImportOptions,
): Promise<Imported> {
  const body = await TemporaryFile.open(ground.home);
  const takeRoomBack = enlargeHeaps();
  try {
    const warnings = new Warnings();
    const kept = await keepBody(ground, given, body, warnings);
    const outline = { ...kept, dryRun: dryRun === true || kept.dryRun };
    if (leavesTraces(outline)) await checkBody(body);
    await graphSettled(ground);
    const work: ImportWork = { ground, services, readRows, body, outline, warnings, entry, by };
    if (outline.dryRun) return await tryOut(work);
    const safetySnapshotId =
      outline.strategy === "replace"
        ? await services.snapshots.takeSafety("before an import that replaces", by)
        : undefined;
    const { deleted: _gone, ...done } = await storeAll(work).catch(async (error: unknown) => {
      if (safetySnapshotId !== undefined) await services.snapshots.dropSafety(safetySnapshotId);
      throw error;
    });
    ground.wakeJobs();
    if ((done.counts.images?.written ?? 0) > 0) await keepWithinQuota(ground);
    return { ...done, ...(safetySnapshotId === undefined ? {} : { safetySnapshotId }) };
  } finally {
    takeRoomBack();
    await body.close();
  }
}

/** Whether the import has effects that no rollback undoes: a safety snapshot, or image files. */
function leavesTraces({ strategy, members }: Outline): boolean {
  const hasImages = members.some(({ name, from, to }) => name === "images" && to - from > "[]".length);
  return strategy === "replace" || hasImages;
}

async function tryOut(work: ImportWork): Promise<Imported> {
  const { deleted, ...done } = await storeAll(work);
  return { ...done, ...(work.outline.strategy === "replace" ? { deleted } : {}), dryRun: true };
}

type Stored = Imported & { readonly deleted: Record<string, number> };

async function storeAll(work: ImportWork): Promise<Stored> {
  const { ground, outline, body } = work;
  try {
    return await ground.store.writeAlone((tx) => store(tx, work), { dryRun: outline.dryRun });
  } catch (error) {
    // Rows are not read in the order of the body, so the first faults are found by checking it from the
    // beginning.
    if (isMemsvcError(error, "invalid_input")) await checkBody(body);
    throw error;
  }
}

async function store(
  tx: Transaction,
  { ground, services, readRows, body, outline, warnings: ofBody, entry, by }: ImportWork,
): Promise<Stored> {
  const { strategy, dryRun, present, members } = outline;
  const [ofRows, warnings] = [new Warnings(), new Warnings()];
  const writing: Writing = {
    tx,
    ground,
    projects: services.projects,
    strategy,
    dryRun,
    warn: (sentence) => warnings.add(sentence),
    ...newImportState(),
  };
  const deleted = strategy === "replace" ? await clearPresent(writing, present) : {};
  if (strategy === "replace") await enqueuePurge(tx, ground);
  const batches = readRows({ descriptor: body.descriptor, members }, ofRows);
  const counts = await putPresent(writing, present, batches, deleted);
  for (const own of collections) await own.settle?.(writing);
  await countTakenOut(writing, counts);
  await noteAllArrived(tx.sql, ground.now());
  await services.audit.recordUnscoped(tx, by, {
    ...entry,
    targetIds: [],
    details: { ...entry.details, strategy, counts },
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
    warnings: [ofBody, ofRows, warnings].flatMap((one) => one.list()),
    version,
    deleted,
  };
}

/** Deletes the rows that a replace replaces; returns how many of each collection. */
async function clearPresent(writing: Writing, present: FileHead["present"]): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const own of collections.toReversed()) {
    if (own.clearedLast !== true && isReplaced(own, present)) await clearOne(own, writing, deleted);
  }
  return deleted;
}

async function clearOne(
  own: ImportedCollection,
  writing: Writing,
  deleted: Record<string, number>,
): Promise<void> {
  const cleared = (await own.clear?.(writing)) ?? 0;
  writing.cleared.add(own.name);
  if (cleared > 0) deleted[own.name] = cleared;
}

/** Sessions and observations are replaced together, because neither makes sense without the other. */
function isReplaced({ name }: ImportedCollection, present: ReadonlySet<string>): boolean {
  const isCapture = name === "sessions" || name === "observations";
  return isCapture ? present.has("sessions") || present.has("observations") : present.has(name);
}

async function putPresent(
  writing: Writing,
  present: FileHead["present"],
  batches: AsyncGenerator<RowBatch>,
  deleted: Record<string, number>,
): Promise<Record<string, Counts>> {
  const counts: Record<string, Counts> = {};
  await withLargeWordBuffer(writing.tx.sql, async () => {
    try {
      let next = await batches.next();
      for (const own of collections) {
        if (own.clearedLast === true && writing.strategy === "replace" && isReplaced(own, present))
          await clearOne(own, writing, deleted);
        if (present.has(own.name)) counts[own.name] = { written: 0, skipped: 0 };
        for (; next.done !== true && next.value.name === own.name; next = await batches.next())
          counts[own.name] = await putBatch(own, writing, next.value, counts[own.name]);
      }
    } finally {
      await batches.return(undefined);
    }
  });
  return counts;
}

async function putBatch(
  own: ImportedCollection,
  writing: Writing,
  { rows }: RowBatch,
  { written, skipped }: Counts = { written: 0, skipped: 0 },
): Promise<Counts> {
  const more = await own.put(writing, rows);
  return { written: written + more, skipped: skipped + rows.length - more };
}

/** Rows that `settle` removed again count as skipped, not as written. */
async function countTakenOut(writing: Writing, counts: Record<string, Counts>): Promise<void> {
  for (const own of collections) {
    const count = counts[own.name];
    const takenOut = (await own.takenOut?.(writing)) ?? 0;
    if (count === undefined || takenOut === 0) continue;
    count.written -= takenOut;
    count.skipped += takenOut;
  }
}
