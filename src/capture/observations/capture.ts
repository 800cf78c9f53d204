import { attachSoon } from "../../graph/structural/pending.ts";
import type { Ground } from "../../ground.ts";
import { insertDocument } from "../../index/documents/documents.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstRow, hasRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { minuteMs } from "../../time/durations.ts";
import type { Commits } from "../commits/commits.ts";
import { keepWithinQuota } from "../images/eviction.ts";
import { linkImages } from "../images/links.ts";
import type { Projects } from "../projects/projects.ts";
import { countArrival, sessionState } from "../sessions/activity.ts";
import type { AgentScopes } from "../sessions/agent-scope.ts";
import type { Receipt } from "./answers.ts";
import { isCompressedByModel, queueCompression } from "./by-model/compression-queue.ts";
import { type Captured, observationDocument } from "./document.ts";
import { nameFromPrompt } from "./first-prompt.ts";
import type { Event } from "./pick-up-fields.ts";
import { type ObserveInput, type PreparedEvent, prepareEvent } from "./prepare-event.ts";
import type { Compression } from "./record.ts";
import { type Compressed, raiseRepeatedError } from "./rules/compress.ts";
import { compressedColumns, compressedValues } from "./stored-compression.ts";
import { storedEventColumns, storedEventMarks } from "./stored-event.ts";

/* Stores an event that `prepare-event.ts` has prepared, in one transaction. */

const dedupWindowMs = 5 * minuteMs;

export interface StoringServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly commits: Commits;
}

/**
 * Captures one event in one transaction. Nothing slow delays the answer: what a model adds comes later.
 * Error: too_large when the session is at its configured limit.
 */
export async function captureEvent(
  ground: Ground,
  services: StoringServices,
  input: ObserveInput,
): Promise<Receipt> {
  const prepared = await prepareEvent(ground, input);
  const receipt = await ground.store.write((tx) => storeEvent(tx, ground, services, prepared), {
    patient: true,
  });
  if (receipt.queued) ground.wakeJobs();
  if (prepared.images.length > 0) await keepWithinQuota(ground);
  return receipt;
}

const insertObservation = `INSERT INTO observations (id, session_id, project_key, agent_id, timestamp, received_at,
  hook_type, ${compressedColumns.join(", ")}, compression, tool_name, modality, image_ref, channel, content_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'synthetic', ?, ?, ?, ?, ?)`;

const insertEvent = `INSERT INTO raw_events (observation_id, ${storedEventColumns}) VALUES (?, ${storedEventMarks})`;

/**
 * Stores an event, unless it was delivered before. Error: too_large when the session is at its configured
 * limit.
 */
export async function storeEvent(
  tx: Transaction,
  ground: Ground,
  services: StoringServices,
  prepared: PreparedEvent,
): Promise<Receipt> {
  const { event, images, words } = prepared;
  const receivedAt = ground.now();
  const earlier = await deliveredBefore(tx.sql, prepared, receivedAt);
  if (earlier !== undefined) {
    const { id, compression } = earlier;
    return receipt(event, { observationId: id, compression, deduplicated: true, queued: false });
  }
  const home = await countInSession(tx.sql, ground, services, prepared, receivedAt);
  const { project, projectKey, agentId } = home;
  const ofAgent = services.agents.isolated ? { agentId } : undefined;
  const compressed = await weighRepeatedError(tx, prepared.compressed, projectKey, ofAgent);
  const id = ground.newId("observation");
  await insertRow(tx.sql, { ...prepared, compressed }, { id, projectKey, agentId, receivedAt });
  if (images.length > 0) await linkImages(tx, ground, id, images);
  for (const commit of prepared.commits)
    await services.commits.linkMade(tx, { ...commit, sessionId: event.sessionId }, id);
  const { files, concepts, facts } = compressed;
  const { libraries } = prepared;
  attachSoon(tx, {
    ground,
    row: { kind: "observation", ref: id, agentId, project, projectKey, files, concepts, facts, libraries },
  });
  const found = { id, event: { ...event, project }, compressed, projectKey, agentId, receivedAt, words };
  insertDocument(tx, observationDocument(found));
  const queued = isCompressedByModel(ground);
  if (queued) await queueCompression(tx, ground, { id, sessionId: event.sessionId });
  return receipt(event, { observationId: id, compression: "synthetic", deduplicated: false, queued });
}

/**
 * Finds the observation of an earlier delivery of the event: one that arrived within five minutes (before or
 * after, because a clock may be set back), or that has the same timestamp. For an imported event there is no
 * time limit.
 */
function deliveredBefore(
  sql: Sql,
  { event, hash, importKey }: PreparedEvent,
  receivedAt: number,
): Promise<{ id: string; compression: Compression } | undefined> {
  const windowMs = importKey === undefined ? dedupWindowMs : Number.MAX_SAFE_INTEGER;
  return firstRow(
    sql,
    `SELECT id, compression FROM observations
     WHERE content_hash = ? AND (abs(received_at - ?) <= ? OR timestamp = ?) ORDER BY seq DESC LIMIT 1`,
    [hash, receivedAt, windowMs, event.timestamp],
  );
}

/**
 * Counts an event in its session, which is created if needed. Returns the session's project and agent, which
 * the observation gets.
 */
async function countInSession(
  sql: Sql,
  ground: Ground,
  { agents, projects }: StoringServices,
  { event, picked, writer, sessionTags, importKey }: PreparedEvent,
  receivedAt: number,
): Promise<{ project: string; projectKey: string; agentId: string | null }> {
  const isImported = importKey !== undefined;
  const session = await sessionState(sql, event.sessionId);
  if (!isImported) refuseOverCap(ground, session?.observationCount ?? 0);
  if (session !== undefined) await projects.learn(sql, event.project, event.cwd);
  const projectKey = session?.projectKey ?? (await projects.writeKey(sql, event.project, event.cwd));
  const agentId = session === undefined ? ((await agents.writer(sql, writer)) ?? null) : session.agentId;
  const { sessionId, project, cwd, timestamp, hookType } = event;
  await countArrival(
    sql,
    {
      sessionId,
      project,
      projectKey,
      cwd,
      timestamp,
      receivedAt,
      agentId: agentId ?? undefined,
      tags: sessionTags,
      firstPrompt: hookType === "prompt_submit" ? nameFromPrompt(picked.userPrompt) : undefined,
      effect: isImported ? "import" : hookType === "session_end" ? "none" : "reopen",
    },
    session,
  );
  return { project: session?.project ?? project, projectKey, agentId };
}

type NewRow = Pick<Captured, "id" | "projectKey" | "agentId" | "receivedAt">;

async function insertRow(
  sql: Sql,
  { event, compressed, images, hash, importKey, stored }: PreparedEvent,
  { id, projectKey, agentId, receivedAt }: NewRow,
): Promise<void> {
  const [image] = images;
  await sql.run(insertObservation, [
    id,
    event.sessionId,
    projectKey,
    agentId,
    event.timestamp,
    receivedAt,
    event.hookType,
    ...compressedValues(compressed),
    compressed.toolName ?? null,
    image === undefined ? null : compressed.type === "image" ? "image" : "mixed",
    image?.ref ?? null,
    importKey === undefined ? channelOf(event.hookType) : "import",
    hash,
  ]);
  await sql.run(insertEvent, [id, ...stored]);
}

async function weighRepeatedError(
  tx: Transaction,
  compressed: Compressed,
  projectKey: string,
  ofAgent: { readonly agentId: string | null } | undefined,
): Promise<Compressed> {
  if (compressed.type !== "error") return compressed;
  const isRepeated = await hasRow(
    tx.sql,
    `SELECT 1 FROM observations WHERE project_key = ? AND title = ? AND type = 'error'
     ${ofAgent === undefined ? "" : "AND agent_id IS ?"} LIMIT 1`,
    [projectKey, compressed.title, ...(ofAgent === undefined ? [] : [ofAgent.agentId])],
  );
  return isRepeated ? raiseRepeatedError(compressed) : compressed;
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

function receipt(event: Event, outcome: Omit<Receipt, "sessionId" | "compressed">): Receipt {
  return { ...outcome, sessionId: event.sessionId, compressed: true };
}

function channelOf(hookType: string): "user" | "tool" | "agent" {
  if (hookType === "prompt_submit") return "user";
  return hookType.includes("tool") ? "tool" : "agent";
}
