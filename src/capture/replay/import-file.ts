import type { Ground } from "../../ground.ts";
import { keepWithinQuota } from "../images/eviction.ts";
import { type StoringServices, storeEvent } from "../observations/capture.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import { toldElsewhere } from "./copied-events.ts";
import { HookDeduplication } from "./hook-deduplication.ts";
import type { LessonExtraction, LessonServices } from "./lesson-extraction.ts";
import { type LeftOut, prepareNew } from "./new-events.ts";
import type { Transcript } from "./transcript.ts";
import { type TranscriptEvent, TranscriptEvents } from "./transcript-events.ts";
import { TranscriptReader } from "./transcript-reader.ts";
import type { TranscriptSurvey } from "./transcript-survey.ts";

/*
 * Reads one transcript and stores its events like those of hooks, many to a transaction. Only one batch is in
 * memory at a time, so its length does not matter.
 */

const mostInBatch = 128;
/** Characters of text, including images in it; the last line of a batch may exceed it. */
const mostBatchLength = 8_388_608;

export interface ImportedFile {
  /** New observations. */
  readonly observations: number;
  readonly skippedDuplicates: number;
  /** Events that were deleted here and are not imported again. */
  readonly leftDeleted: number;
  readonly brokenLines: number;
  readonly lines: number;
  /** Times of the first and the last event; undefined without events. */
  readonly times: { readonly first: number; readonly last: number } | undefined;
}

interface FileInput {
  readonly transcript: Transcript;
  readonly survey: TranscriptSurvey;
  /** The agent for the session, if the transcript creates it. */
  readonly writer: Writer;
  /** Extracts lessons from new events. */
  readonly lessonExtraction: LessonExtraction;
  /** The sessions whose own transcripts are imported along with this one. */
  readonly sessionsBeside: ReadonlySet<string>;
}

type FileServices = StoringServices & LessonServices;

export async function importFile(
  ground: Ground,
  services: FileServices,
  { transcript, survey, writer, lessonExtraction, sessionsBeside }: FileInput,
): Promise<ImportedFile> {
  const reader = new TranscriptReader(transcript.path);
  const events = new TranscriptEvents(survey.startedAt);
  const twins = new HookDeduplication();
  const counts = { observations: 0, skippedDuplicates: 0, leftDeleted: 0, brokenLines: 0, lines: 0 };
  let times: ImportedFile["times"];
  let batch: TranscriptEvent[] = [];
  let batchLength = 0;

  const flush = async () => {
    const { sessionId } = survey;
    const elsewhere = await toldElsewhere(ground.store.read.sql, batch, { sessionId, sessionsBeside });
    const own = batch.filter(({ copiedFrom }) => copiedFrom === undefined || !elsewhere.has(copiedFrom));
    const { stored, deleted, copied } = await storeBatch(ground, services, {
      events: own,
      survey,
      writer,
      lessonExtraction,
      twins,
    });
    for (const { timestamp } of own.filter((event) => !deleted.has(event) && !copied.has(event))) {
      times = {
        first: Math.min(times?.first ?? timestamp, timestamp),
        last: Math.max(times?.last ?? timestamp, timestamp),
      };
    }
    counts.observations += stored;
    counts.leftDeleted += deleted.size;
    counts.skippedDuplicates += batch.length - stored - deleted.size;
    batch = [];
    batchLength = 0;
  };

  for await (const text of transcript.lines()) {
    counts.lines += 1;
    if (text?.trim() === "") continue;
    const lines = text === undefined ? undefined : reader.read(text);
    if (lines === undefined || text === undefined) {
      counts.brokenLines += 1;
      continue;
    }
    const found = lines.flatMap((line) => events.of(line, counts.lines));
    batch.push(...found);
    if (found.length > 0) batchLength += text.length;
    if (batch.length >= mostInBatch || batchLength >= mostBatchLength) await flush();
  }
  batch.push(...events.rest());
  if (batch.length > 0) await flush();
  return { ...counts, times };
}

interface Batch extends Omit<FileInput, "transcript" | "sessionsBeside"> {
  readonly events: readonly TranscriptEvent[];
  readonly twins: HookDeduplication;
}

interface StoredBatch extends LeftOut {
  /** How many events were new. */
  readonly stored: number;
}

/** Stores the new events of a batch, and the lessons in them, in one transaction. */
async function storeBatch(ground: Ground, services: FileServices, batch: Batch): Promise<StoredBatch> {
  const { prepared, ...leftOut } = await prepareNew(ground, batch);
  const { fresh, savedLessons } = await ground.store.write(async (tx) => {
    const stored: [PreparedEvent, string][] = [];
    for (const one of prepared) {
      const { observationId, deduplicated } = await storeEvent(tx, ground, services, one);
      if (!deduplicated) stored.push([one, observationId]);
    }
    return { fresh: stored.length, savedLessons: await batch.lessonExtraction.save(tx, services, stored) };
  });
  batch.lessonExtraction.stored(savedLessons);
  if (prepared.some(({ images }) => images.length > 0)) await keepWithinQuota(ground);
  return { stored: fresh, ...leftOut };
}
