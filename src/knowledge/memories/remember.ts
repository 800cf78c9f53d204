import { projectWarning } from "../../capture/projects/project-warning.ts";
import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { type DocumentWords, documentWords } from "../../index/documents/document-words.ts";
import { timeText } from "../../operation/fields.ts";
import { roundTo } from "../../round-to.ts";
import type { Transaction } from "../../store/store.ts";
import { firstLine } from "../../text/first-line.ts";
import { redactTags, redactText } from "../../text/redaction/redact.ts";
import { dayMs } from "../../time/durations.ts";
import { mergeUnique } from "../statements/merge-unique.ts";
import type { Remembered } from "./answers.ts";
import { memoryText } from "./document.ts";
import {
  type Candidates,
  findCandidates,
  mostSimilar,
  type NewText,
  similarAbove,
  supersedeAbove,
} from "./duplicates/near-duplicates.ts";
import type { MemoryServices } from "./memories.ts";
import { type MemoryOrigin, separateMark } from "./memory-origin.ts";
import { type MemoryRow, type MemoryType, memoryRecord } from "./record.ts";
import { newCurve } from "./strength/strength.ts";
import { applyPresentTitles, titleFromContent, withPresentTitle } from "./titles/present-titles.ts";
import { insertVersion, lineage, supersede } from "./versions/versions.ts";

export interface RememberInput extends ScopeRequest {
  readonly content: string;
  readonly type?: MemoryType | undefined;
  readonly title?: string | undefined;
  readonly project?: string | undefined;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly ttlDays?: number | undefined;
  readonly sourceObservationIds: readonly string[];
  /** Both hold: a memory that says nearly the same is kept beside the new one. */
  readonly separate?: boolean | undefined;
}

type Channel = NonNullable<MemoryRow["origin"]>["channel"];

/**
 * Stores a memory. If a latest memory says nearly the same, the new one becomes its next version, unless both
 * are to be kept.
 */
export async function remember(
  ground: Ground,
  services: MemoryServices,
  input: RememberInput,
  channel: Channel,
): Promise<Remembered> {
  const prepared = await prepareMemory(ground, services, input);
  const store = async (tx: Transaction): Promise<Remembered> => {
    const { row, older, similar } = await storeMemory(tx, ground, services, prepared, channel);
    await services.audit.record(tx, {
      operation: "remember",
      functionId: "memory.remember",
      targetIds: older === undefined ? [row.id] : [row.id, older.id],
      details: { type: row.type, version: row.version, superseded: older?.id },
      agentId: row.agentId,
    });
    const isAlike = older === undefined && similar !== undefined && similar.similarity > similarAbove;
    const [alike] = isAlike ? await applyPresentTitles(tx.sql, [similar.row]) : [];
    const memory = await withPresentTitle(tx.sql, memoryRecord(row, ground.now()));
    return {
      memoryId: row.id,
      strength: 1,
      version: row.version,
      isLatest: true,
      memory,
      ...(older === undefined ? {} : { superseded: older.id }),
      ...(older?.content === row.content && older.title === row.title ? { repeats: true as const } : {}),
      ...(isAlike && alike !== undefined
        ? { similarTo: { id: alike.id, title: alike.title, similarity: roundTo(similar.similarity, 4) } }
        : {}),
      ...(await projectWarning(tx.sql, services, input.project)),
    };
  };
  return ground.store.write(store, { patient: true });
}

/** A memory ready to be stored: redacted, and with the candidates for near-duplicates. */
export interface PreparedMemory {
  readonly input: RememberInput;
  readonly title: string;
  readonly words: DocumentWords;
  readonly candidates: Candidates;
}

interface StoredMemory {
  readonly row: MemoryRow;
  /** The version that the memory superseded. */
  readonly older: MemoryRow | undefined;
  readonly similar: { readonly row: MemoryRow; readonly similarity: number } | undefined;
}

/** The part of remembering that runs before the transaction. */
export async function prepareMemory(
  ground: Ground,
  services: MemoryServices,
  input: RememberInput,
): Promise<PreparedMemory> {
  const content = redactText(input.content);
  const title = input.title === undefined ? firstLine(content, titleFromContent) : redactText(input.title);
  const concepts = redactTags(input.concepts);
  const newText = await newTextOf(ground, services, input, content);
  return {
    input: { ...input, content, concepts },
    title,
    words: documentWords(memoryText({ title, content, concepts, files: input.files })),
    candidates: await findCandidates(ground.store, newText),
  };
}

/** Stores a prepared memory inside the caller's transaction, which writes the audit entry. */
export async function storeMemory(
  tx: Transaction,
  ground: Ground,
  services: MemoryServices,
  prepared: PreparedMemory,
  channel: Channel,
): Promise<StoredMemory> {
  const fresh = await freshRow(tx, ground, services, prepared, { channel });
  const similar = await similarTo(tx, ground, fresh, prepared);
  const alike = similar?.isVersion === true ? similar.row : undefined;
  // A memory of its own still replaces the very same text.
  const isOwn = prepared.input.separate === true && alike?.content !== fresh.content;
  const older = isOwn ? undefined : alike;
  return { row: await storeVersion(tx, ground, prepared, { fresh, older }), older, similar };
}

/** The latest memory that a new one is most similar to, and whether that makes it a version of it. */
export async function similarTo(
  tx: Transaction,
  ground: Ground,
  fresh: MemoryRow,
  { candidates }: PreparedMemory,
): Promise<{ row: MemoryRow; similarity: number; isVersion: boolean } | undefined> {
  const similar = await mostSimilar(tx, ground.store, { ...fresh, now: ground.now() }, candidates);
  return similar && { ...similar, isVersion: similar.similarity > supersedeAbove };
}

/** Stores a new memory, as the next version of an older one if that is given. */
export async function storeVersion(
  tx: Transaction,
  ground: Ground,
  { input, words }: PreparedMemory,
  { fresh, older }: { readonly fresh: MemoryRow; readonly older: MemoryRow | undefined },
): Promise<MemoryRow> {
  const row = older === undefined ? fresh : merged(fresh, older, input, ground.now());
  await insertVersion(tx, ground, row, older === undefined ? words : undefined);
  if (older !== undefined) await supersede(tx, ground, older, row);
  return row;
}

/** The project and agent of a new memory, as known before its transaction. */
async function newTextOf(
  { store, now }: Ground,
  { projects, agents }: MemoryServices,
  input: RememberInput,
  content: string,
): Promise<NewText> {
  const { sql } = store.read;
  return {
    content,
    projectKey: input.project === undefined ? null : await projects.presentKey(sql, input.project),
    agentId: (await agents.writer(sql, input)) ?? null,
    now: now(),
  };
}

/** The row of a memory that has no version yet. */
export async function freshRow(
  tx: Transaction,
  ground: Ground,
  services: MemoryServices,
  { input, title }: PreparedMemory,
  source: Pick<MemoryOrigin, "channel" | "detail">,
): Promise<MemoryRow> {
  const now = ground.now();
  const type = input.type ?? "fact";
  const agentId = await services.agents.writer(tx.sql, input);
  const visible = services.agents.sourcesOf(agentId);
  const sourceSessions = await services.observations.sessionsOf(tx, input.sourceObservationIds, visible);
  return {
    id: ground.newId("memory"),
    title,
    content: input.content,
    type,
    concepts: [...input.concepts],
    files: [...input.files],
    version: 1,
    isLatest: true,
    ...(await services.projects.fieldsOf(tx.sql, input.project)),
    agentId: agentId ?? null,
    sourceObservationIds: [...new Set(input.sourceObservationIds)],
    sessionIds: mergeUnique(input.sessionId === undefined ? [] : [input.sessionId], sourceSessions),
    parentId: null,
    supersedes: [],
    relatedIds: [],
    forgetAfter: input.ttlDays === undefined ? null : Math.round(now + input.ttlDays * dayMs),
    createdAt: now,
    updatedAt: now,
    ...newCurve(type, now),
    recallCount: 0,
    lastRecalledAt: null,
    origin: { ...source, capturedAt: timeText(now), ...separateMark(input) },
  };
}

/** The new version of a near-duplicate: new text and fields, with the tags, files and sources of both. */
function merged(fresh: MemoryRow, older: MemoryRow, input: RememberInput, now: number): MemoryRow {
  const type = input.type ?? older.type;
  return {
    ...fresh,
    ...lineage(older),
    ...newCurve(type, now),
    type,
    title: input.title === undefined ? older.title : fresh.title,
    concepts: mergeUnique(fresh.concepts, older.concepts),
    files: mergeUnique(fresh.files, older.files),
    sourceObservationIds: mergeUnique(fresh.sourceObservationIds, older.sourceObservationIds),
    sessionIds: mergeUnique(fresh.sessionIds, older.sessionIds),
    origin: fresh.origin && { ...fresh.origin, ...separateMark(older.origin) },
  };
}
