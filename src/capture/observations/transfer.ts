import {
  type ImportedCollection,
  importedCollection,
  type Writing,
} from "../../governance/transfer/collection.ts";
import { announceSources, attachAnnounced, detachAll } from "../../graph/transfer/sources.ts";
import { clearDocuments, type DocumentInput, putDocuments } from "../../index/documents/documents.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { linkStoredImages } from "../images/links.ts";
import { countArrival, dateMadeSessions, type SessionHome, sessionHomes } from "../sessions/activity.ts";
import { dropLooseCompressions } from "./by-model/compression-queue.ts";
import { observationDocument } from "./document.ts";
import {
  type CheckedObservation,
  ObservationInFile,
  observationFields,
  type ReadyObservation,
  readyObservation,
  unknownProject,
} from "./observation-in-file.ts";
import { graphRowsOf } from "./reads/graph-rows.ts";
import { ObservationKind } from "./record.ts";
import { storedEventColumns, storedEventMarks } from "./stored-event.ts";
import { observations } from "./tables.ts";

const rows = new TableRows(observations, { key: ["id"], generated: ["seq"] });

/** The observations of all sessions; a file has them grouped by session. */
export const observationCollection: ImportedCollection = importedCollection<
  CheckedObservation,
  ReadyObservation
>({
  name: "observations",
  schema: ObservationInFile,
  ready: readyObservation,
  fields: observationFields,
  put: async (writing, given) => {
    const { sql } = writing.tx;
    const homes = await sessionHomes(sql, [...new Set(given.map(({ sessionId }) => sessionId))]);
    const known = await receivedTimes(sql, given);
    const stored: { ref: string; agentId: string | null; imageRef: string | undefined }[] = [];
    const wanted = new Map<string, StoredObservation>();
    for (const one of given) {
      const existing = wanted.get(one.id)?.row.receivedAt ?? known.get(one.id);
      const isStale = existing !== undefined && (writing.strategy === "skip" || existing >= one.receivedAt);
      if (isStale) continue;
      const home = homes.get(one.sessionId) ?? (await makeHome(sql, writing, one));
      homes.set(one.sessionId, home);
      const place = await placeOf(writing, one, home);
      wanted.set(one.id, storedObservation(writing, one, place));
      writing.touchedProjects.add(place.projectKey);
      stored.push({ ref: one.id, agentId: agentOf(one, home), imageRef: one.imageRef });
    }
    await store(sql, known, [...wanted.values()]);
    await linkStoredImages(sql, stored);
    await announceSources(sql, "observation", stored);
    return stored.length;
  },
  settle: async (writing) => {
    await dateMadeSessions(writing.tx.sql);
    if (writing.strategy === "replace") await dropLooseCompressions(writing.tx.sql);
    await attachAnnounced(writing, "observation", graphRowsOf);
  },
  clear: async ({ tx }) => {
    await detachAll(tx.sql, "observation");
    const cleared = await rows.clear(tx.sql);
    await tx.sql.run("DELETE FROM image_links");
    await tx.sql.run("DELETE FROM raw_events");
    await clearDocuments(tx.sql, "observation");
    return cleared;
  },
});

async function receivedTimes(sql: Sql, given: readonly ReadyObservation[]): Promise<Map<string, number>> {
  const found = await sql.all<{ id: string; receivedAt: number }>(
    `SELECT id, received_at AS receivedAt FROM observations WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(given.map(({ id }) => id))],
  );
  return new Map(found.map(({ id, receivedAt }) => [id, receivedAt]));
}

/**
 * Creates the session of an observation if neither the file nor the store has it, so that the observation is
 * not lost.
 */
async function makeHome(sql: Sql, { warn }: Writing, one: ReadyObservation): Promise<SessionHome> {
  warn("observations: a session that they name is unknown and was made");
  await countArrival(
    sql,
    {
      sessionId: one.sessionId,
      project: unknownProject,
      projectKey: unknownProject,
      cwd: "/",
      timestamp: one.timestamp,
      receivedAt: one.receivedAt,
      agentId: one.agentId,
      firstPrompt: undefined,
      tags: [],
      effect: "import",
    },
    undefined,
  );
  return { project: unknownProject, projectKey: unknownProject, agentId: one.agentId ?? null };
}

/** The project of an observation: its session's, unless the session has moved to another one since. */
async function placeOf(
  { tx, projects }: Writing,
  { project, projectKey }: ReadyObservation,
  home: SessionHome,
): Promise<SessionHome> {
  if (project === undefined) return home;
  return { ...home, project, projectKey: projectKey ?? (await projects.writeKey(tx.sql, project)) };
}

/** Null if the observation was captured before its session had an agent, else the session's agent. */
function agentOf(one: ReadyObservation, home: Pick<SessionHome, "agentId">): string | null {
  return one.agentId === undefined ? null : home.agentId;
}

/** The parts of an observation as they are stored. */
interface StoredObservation {
  readonly row: typeof observations.$inferSelect;
  readonly event: readonly SqlValue[] | undefined;
  readonly document: DocumentInput;
}

function storedObservation(
  { warn }: Writing,
  one: ReadyObservation,
  { project, projectKey, ...home }: SessionHome,
): StoredObservation {
  const type = ObservationKind.options.find((kind) => kind === one.type) ?? "other";
  if (type !== one.type) warn("observations: an unknown type became other");
  const { id, sessionId, timestamp, receivedAt, title, narrative, facts, concepts, files } = one;
  const importance = Math.max(1, one.importance);
  const agentId = agentOf(one, home);
  if ((one.agentId ?? null) !== agentId)
    warn("observations: they are of their session's agent, not of another");
  return {
    row: {
      seq: 0,
      id,
      sessionId,
      projectKey,
      agentId,
      timestamp,
      receivedAt,
      hookType: one.hookType,
      type,
      title,
      subtitle: one.subtitle ?? null,
      facts,
      narrative,
      concepts,
      files,
      importance,
      confidence: one.confidence,
      compression: one.compression,
      toolName: one.toolName ?? null,
      modality: one.modality ?? null,
      imageRef: one.imageRef ?? null,
      imageDescription: one.imageDescription ?? null,
      channel: one.origin?.channel ?? "import",
      contentHash: one.contentHash,
      consolidatedAt: one.consolidatedAt ?? null,
    },
    event: one.event,
    document: observationDocument({
      id,
      event: { project, sessionId, timestamp },
      compressed: { type, title, narrative, facts, concepts, files, importance },
      projectKey,
      agentId,
      receivedAt,
      words: one.words,
    }),
  };
}

async function store(
  sql: Sql,
  known: ReadonlyMap<string, number>,
  wanted: readonly StoredObservation[],
): Promise<void> {
  const fresh = wanted.filter(({ row }) => !known.has(row.id));
  await rows.insertMany(
    sql,
    fresh.map(({ row }) => row),
  );
  for (const { row } of wanted) if (known.has(row.id)) await rows.put(sql, row);
  const events = wanted.flatMap(({ row, event }) => (event === undefined ? [] : [[row.id, ...event]]));
  await sql.run("DELETE FROM raw_events WHERE observation_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(events.map(([id]) => id)),
  ]);
  await insertEvents(sql, events);
  await putDocuments(
    sql,
    "observation",
    wanted.map(({ document }) => document),
  );
}

const insertEvents = bulkInsert(
  `INSERT OR FAIL INTO raw_events (observation_id, ${storedEventColumns})`,
  `(?, ${storedEventMarks})`,
);
