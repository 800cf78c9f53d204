import { attachAtEnd } from "../../graph/structural/attach.ts";
import type { Ground } from "../../ground.ts";
import { type DocumentWords, documentWords } from "../../index/document-words.ts";
import { insertDocument } from "../../index/documents.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstRow } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/estimate.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import type { Image } from "../images/decode.ts";
import { keepWithinQuota } from "../images/eviction.ts";
import { linkImages } from "../images/links.ts";
import { takeImages } from "../images/take.ts";
import type { Projects } from "../projects/projects.ts";
import { countArrival, sessionState } from "../sessions/activity.ts";
import type { AgentScopes } from "../sessions/agent-scope.ts";
import { wordsOfUser } from "./agent-notes.ts";
import { type Compressed, compressByRules, raiseRepeatedError } from "./compress.ts";
import { isCompressedByModel, queueCompression } from "./compression-queue.ts";
import { contentHash, importHash } from "./content-hash.ts";
import { observationDocument, observationText } from "./document.ts";
import { librariesOfInput } from "./libraries.ts";
import { type Event, type PickedFields, pickUpFields } from "./pickup.ts";
import { capStrings, rawEventOf } from "./raw-event.ts";

/* The way of an event from its arrival to the disk: hash, redaction, compression by rules, one transaction. */

const dedupWindowMs = 5 * 60_000;
const promptLength = 200;

export interface ObserveInput extends Omit<Event, "data"> {
  readonly data?: unknown;
  readonly agentId?: string | undefined;
}

export interface Receipt {
  readonly observationId: string;
  readonly sessionId: string;
  readonly deduplicated: boolean;
  readonly compressed: boolean;
  readonly compression: "synthetic" | "llm";
  readonly queued: boolean;
}

export interface CaptureServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

/** An event that is ready to be stored: redacted, capped, compressed, its images in their files. */
export interface Arrival {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly compressed: Compressed;
  readonly words: DocumentWords;
  /** Packages that its input imports or installs. */
  readonly libraries: readonly string[];
  readonly images: readonly Image[];
  /** Finds a repeated delivery. */
  readonly hash: string;
  /** Agent of a session that the event brings into being. */
  readonly agentId: string | undefined;
  /** The line of a transcript that the event was read from; undefined for one that a hook sent. */
  readonly importKey: string | undefined;
}

/**
 * Captures one event in one transaction. Nothing slow stands between the caller and the answer: what a model
 * may add comes later. Error: too_large when the session is at its configured cap.
 */
export async function captureEvent(
  ground: Ground,
  services: CaptureServices,
  input: ObserveInput,
): Promise<Receipt> {
  const arrival = await prepareEvent(ground, input);
  const receipt = await ground.store.write((tx) => storeEvent(tx, ground, services, arrival), {
    patient: true,
  });
  if (receipt.queued) ground.wakeJobs();
  if (arrival.images.length > 0) await keepWithinQuota(ground);
  return receipt;
}

/** Does for an event what needs no transaction. `importKey` names the line that an imported event was read from. */
export async function prepareEvent(
  ground: Ground,
  input: ObserveInput,
  importKey?: string,
): Promise<Arrival> {
  const received = { ...input, data: input.data ?? {} };
  const hash =
    importKey === undefined
      ? contentHash(received, pickUpFields(received).toolName)
      : importHash(received.sessionId, importKey);
  const taken = await takeImages(ground, received.data, received.cwd);
  const event = { ...received, data: capStrings(redactValue(taken?.data ?? received.data)) };
  const picked = pickUpFields(event);
  const images = taken?.images ?? [];
  const [image] = images;
  if (image !== undefined) picked.image ??= image.ref;
  const compressed = compressByRules(event, { picked });
  const words = documentWords(observationText(compressed));
  const libraries = librariesOfInput(picked.toolInput);
  return { event, picked, compressed, words, images, libraries, hash, agentId: input.agentId, importKey };
}

/** Stores an event, unless it was delivered before. Error: too_large when the session is at its configured cap. */
export async function storeEvent(
  tx: Transaction,
  ground: Ground,
  services: CaptureServices,
  arrival: Arrival,
): Promise<Receipt> {
  const { event, picked, words, images, hash } = arrival;
  const { sql } = tx;
  const isImported = arrival.importKey !== undefined;
  const receivedAt = ground.now();
  const earlier = await firstRow<{ id: string; compression: "synthetic" | "llm" }>(
    sql,
    `SELECT id, compression FROM observations
     WHERE content_hash = ? AND (received_at >= ? OR timestamp = ?) ORDER BY seq DESC LIMIT 1`,
    [hash, isImported ? 0 : receivedAt - dedupWindowMs, event.timestamp],
  );
  if (earlier !== undefined) {
    const { id, compression } = earlier;
    return receipt(event, { observationId: id, compression, deduplicated: true, queued: false });
  }
  const session = await sessionState(sql, event.sessionId);
  if (!isImported) refuseOverCap(ground, session?.observationCount ?? 0);
  if (session !== undefined) await services.projects.learn(sql, event.project, event.cwd);
  const projectKey = session?.projectKey ?? (await services.projects.writeKey(sql, event.project, event.cwd));
  const agentId =
    session === undefined
      ? ((await services.agents.writer(sql, { agentId: arrival.agentId })) ?? null)
      : session.agentId;
  await countArrival(
    sql,
    {
      sessionId: event.sessionId,
      project: event.project,
      projectKey,
      cwd: event.cwd,
      timestamp: event.timestamp,
      receivedAt,
      agentId: agentId ?? undefined,
      firstPrompt: event.hookType === "prompt_submit" ? firstPrompt(picked) : undefined,
      effect: isImported ? "import" : event.hookType === "session_end" ? "none" : "reopen",
    },
    session !== undefined,
  );
  const ofAgent = services.agents.isolated ? { agentId } : undefined;
  const compressed = await weighRepeatedError(tx, arrival.compressed, projectKey, ofAgent);
  const id = ground.newId("observation");
  const [image] = images;
  await sql.run(insertObservation, [
    id,
    event.sessionId,
    projectKey,
    agentId,
    event.timestamp,
    receivedAt,
    event.hookType,
    compressed.type,
    compressed.title,
    compressed.subtitle ?? null,
    JSON.stringify(compressed.facts),
    compressed.narrative,
    JSON.stringify(compressed.concepts),
    JSON.stringify(compressed.files),
    compressed.importance,
    compressed.confidence,
    compressed.toolName ?? null,
    image === undefined ? null : compressed.type === "image" ? "image" : "mixed",
    image?.ref ?? null,
    isImported ? "import" : channelOf(event.hookType),
    hash,
  ]);
  await sql.run("INSERT INTO raw_events (observation_id, event) VALUES (?, ?)", [
    id,
    JSON.stringify(rawEventOf(event, picked)),
  ]);
  if (image !== undefined) await linkImages(tx, ground, id, images);
  // Found under the session's project, an observation is shown with it, too.
  const project = session?.project ?? event.project;
  const { files, concepts, facts } = compressed;
  const { libraries } = arrival;
  attachAtEnd(tx, {
    ground,
    row: { kind: "observation", ref: id, agentId, project, projectKey, files, concepts, facts, libraries },
  });
  insertDocument(
    tx,
    observationDocument({
      id,
      event: { ...event, project },
      compressed,
      projectKey,
      agentId,
      receivedAt,
      words,
    }),
  );
  const queued = isCompressedByModel(ground);
  if (queued) await queueCompression(tx, ground, { id, sessionId: event.sessionId });
  return receipt(event, { observationId: id, compression: "synthetic", deduplicated: false, queued });
}

async function weighRepeatedError(
  tx: Transaction,
  compressed: Compressed,
  projectKey: string,
  ofAgent: { readonly agentId: string | null } | undefined,
): Promise<Compressed> {
  if (compressed.type !== "error") return compressed;
  const seen = await firstRow(
    tx.sql,
    `SELECT 1 FROM observations WHERE project_key = ? AND title = ? AND type = 'error'
     ${ofAgent === undefined ? "" : "AND agent_id IS ?"} LIMIT 1`,
    [projectKey, compressed.title, ...(ofAgent === undefined ? [] : [ofAgent.agentId])],
  );
  return seen === undefined ? compressed : raiseRepeatedError(compressed);
}

function refuseOverCap({ settings }: Ground, observationCount: number): void {
  const cap = settings.maxObsPerSession;
  if (cap === undefined || observationCount < cap) return;
  throw new MemsvcError(
    "too_large",
    `the session holds ${observationCount} observations, its cap is ${cap}`,
    {
      hint: "start another session, or raise MEMSVC_MAX_OBS_PER_SESSION",
      extra: { limit: cap, observationCount },
    },
  );
}

const insertObservation = `INSERT INTO observations (id, session_id, project_key, agent_id, timestamp, received_at,
  hook_type, type, title, subtitle, facts, narrative, concepts, files, importance, confidence, compression,
  tool_name, modality, image_ref, channel, content_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'synthetic', ?, ?, ?, ?, ?)`;

function receipt(event: Event, outcome: Omit<Receipt, "sessionId" | "compressed">): Receipt {
  return { ...outcome, sessionId: event.sessionId, compressed: true };
}

function firstPrompt(picked: PickedFields): string | undefined {
  const prompt = wordsOfUser(picked.userPrompt ?? "")
    .replace(/\s+/gu, " ")
    .trim();
  return prompt === "" ? undefined : cutCodePoints(prompt, promptLength);
}

function channelOf(hookType: string): "user" | "tool" | "agent" {
  if (hookType === "prompt_submit") return "user";
  return hookType.includes("tool") ? "tool" : "agent";
}
