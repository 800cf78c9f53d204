import { keepWithinQuota } from "../../capture/images/eviction.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { withLargeWordBuffer } from "../../index/words/word-buffer.ts";
import { giveHeapsRoom } from "../../jobs/heaps.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { noteFileArrived } from "../../sharing/mesh/arrivals.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { version } from "../../version.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { Imported } from "./answers.ts";
import { checkBody, keepBody, type Outline } from "./body-outline.ts";
import type { Collection, Writing } from "./collection.ts";
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
  readonly snapshots: { takeSafety(message: string, by: AskedBy): Promise<string> };
}

/** What the audit says that an import was part of. */
interface ImportEntry {
  readonly operation: "import" | "migrate";
  readonly functionId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One import, as it stands once its body is here. */
interface ImportWork {
  readonly ground: Ground;
  readonly services: ImportServices;
  readonly readRows: RowReading;
  readonly body: TemporaryFile;
  readonly outline: Outline;
  /** Of the body as a whole. */
  readonly warnings: Warnings;
  readonly entry: ImportEntry;
  readonly by: AskedBy;
}

export interface ImportOptions extends DryRun {
  readonly entry?: ImportEntry | undefined;
  readonly by?: AskedBy | undefined;
  /** Where rows are read and checked; on the caller's thread unless given. */
  readonly readRows?: RowReading | undefined;
}

const ownEntry: ImportEntry = { operation: "import", functionId: "store.import", details: {} };

/**
 * Takes an export into the store, in one transaction, or nothing of it: rows are stored while those behind them are
 * checked, and the first fault takes all of them back. A dry run, which the body or the caller asks for, does the same
 * and keeps nothing of it. Errors: invalid_input with the first faults, too_large.
 */
export async function importStore(
  ground: Ground,
  services: ImportServices,
  given: ByteStream,
  { entry = ownEntry, by = {}, readRows = inlineRowReading, dryRun }: ImportOptions = {},
): Promise<Imported> {
  const body = await TemporaryFile.open(ground.home);
  const takeRoomBack = giveHeapsRoom();
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
    const { deleted: _gone, ...done } = await storeAll(work);
    ground.wakeJobs();
    if ((done.counts.images?.written ?? 0) > 0) await keepWithinQuota(ground);
    return { ...done, ...(safetySnapshotId === undefined ? {} : { safetySnapshotId }) };
  } finally {
    // It reads aliases that it has written itself, and may have been rolled back.
    services.projects.forgetKnown();
    takeRoomBack();
    await body.close();
  }
}

/** Whether it leaves behind what no transaction takes back: a snapshot, or images, whose bytes go into files. */
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
    // Rows are not read in the order of the body: which faults stand first in it is found from its begin.
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
  const batches = readRows({ descriptor: body.descriptor, members }, ofRows);
  const counts = await putPresent(writing, present, batches, deleted);
  for (const own of collections) await own.settle?.(writing);
  await countTakenOut(writing, counts);
  await noteFileArrived(tx.sql, ground.now());
  const { operation, functionId, details } = entry;
  const told = { operation, functionId, targetIds: [], details: { ...details, strategy, counts } };
  await services.audit.recordUnscoped(tx, by, told);
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

/** Deletes what a replace takes the place of; returns how many rows of each collection. */
async function clearPresent(writing: Writing, present: FileHead["present"]): Promise<Record<string, number>> {
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
  own: Collection,
  writing: Writing,
  { rows }: RowBatch,
  { written, skipped }: Counts = { written: 0, skipped: 0 },
): Promise<Counts> {
  const more = await own.put(writing, rows);
  return { written: written + more, skipped: skipped + rows.length - more };
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
