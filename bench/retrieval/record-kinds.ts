import { observe } from "../../src/capture/observations/operations.ts";
import type { Core } from "../../src/core.ts";
import { newCurve } from "../../src/knowledge/memories/strength/strength.ts";
import { insertVersion } from "../../src/knowledge/memories/versions/versions.ts";
import { cutCodePoints } from "../../src/text/code-points.ts";
import { redactText } from "../../src/text/redaction/redact.ts";
import { minuteMs } from "../../src/time/durations.ts";
import type { Pool } from "./pools.ts";

/*
 * The kind of records that a pool is stored as. A conversation goes through capture, message by message, as a hook
 * would send it, so the search sees what capture keeps of a message: a title, at most 1,000 characters, facts,
 * concepts. Everything else becomes memories, which are indexed whole; they are written as an import writes them,
 * because `remember` would make near-duplicates versions of each other.
 */

export type RecordKind = "memories" | "turns" | "dialogues";

/** Document ids by the id of the record that holds them; texts that capture takes for repetitions share a record. */
export type StoredPool = ReadonlyMap<string, readonly string[]>;

const kinds: Readonly<Record<string, RecordKind>> = {
  "beam-100k": "dialogues",
  "locomo-turn-first5": "turns",
};

export function recordKindOf(setName: string): RecordKind {
  return kinds[setName] ?? "memories";
}

/** Time of memories and of the first message of a dialogue, which have no time of their own. */
const firstMoment = Date.UTC(2023, 0, 1);

export async function storePool(
  core: Core,
  project: string,
  pool: Pool,
  kind: RecordKind,
): Promise<StoredPool> {
  const stored = new Map<string, string[]>();
  const note = (record: string, id: string) => stored.set(record, [...(stored.get(record) ?? []), id]);
  if (kind === "memories") {
    for (let start = 0; start < pool.docs.length; start += 500) {
      await core.ground.store.write(async (tx) => {
        const projectKey = await core.projects.writeKey(tx.sql, project);
        for (const [id, title, body] of pool.docs.slice(start, start + 500)) {
          const row = memoryRow(core, { title, body, project, projectKey });
          await insertVersion(tx, core.ground, row);
          note(row.id, id);
        }
      });
    }
    return stored;
  }
  for (const { id, sessionId, timestamp, isUser, text } of messagesOf(pool, kind)) {
    const receipt = await core.call(
      observe,
      {
        hookType: isUser ? "prompt_submit" : "stop",
        sessionId: `${project}-${sessionId}`,
        project,
        cwd: `/code/${project}`,
        timestamp: new Date(timestamp).toISOString(),
        data: isUser ? { prompt: text } : { last_assistant_message: text },
      },
      { face: "library" },
    );
    note(receipt.observationId, id);
  }
  return stored;
}

interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly isUser: boolean;
  readonly text: string;
}

function messagesOf(pool: Pool, kind: RecordKind): Message[] {
  return kind === "turns" ? turnsOf(pool) : dialoguesOf(pool);
}

/**
 * LoCoMo: the id gives session and turn (`D3:7`), the title the session's time, and the text begins with the speaker.
 */
function turnsOf({ docs }: Pool): Message[] {
  const opener = docs[0]?.[2].split(":")[0];
  return docs.map(([id, title, body]) => {
    const [sessionId = id, turn = "0"] = id.split(":");
    return {
      id,
      sessionId,
      timestamp: spokenTime(title) + Number(turn) * minuteMs,
      isUser: body.split(":")[0] === opener,
      text: body,
    };
  });
}

/** BEAM: user and assistant alternate; the first message of a dialogue ends with a mark (`->-> 1,4`). */
function dialoguesOf({ docs }: Pool): Message[] {
  let dialogue = 0;
  return docs.map(([id, , body], at) => {
    if (/->->/.test(body)) dialogue += 1;
    return {
      id,
      sessionId: `d${dialogue}`,
      timestamp: firstMoment + at * minuteMs,
      isUser: at % 2 === 0,
      text: body,
    };
  });
}

/** Parses a time such as `1:56 pm on 8 May, 2023`, as UTC. */
function spokenTime(text: string): number {
  const [, hour = "0", minute = "0", half, day] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(text.trim()) ?? [];
  const midnight = Date.parse(`${(day ?? "").replace(",", "")} UTC`);
  if (Number.isNaN(midnight)) throw new Error(`no time: ${text}`);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return midnight + (hours * 60 + Number(minute)) * minuteMs;
}

interface MemoryText {
  readonly title: string;
  readonly body: string;
  readonly project: string;
  readonly projectKey: string;
}

const longestTitle = 300;
const titleFromContent = 80;

function memoryRow(core: Core, { title, body, project, projectKey }: MemoryText) {
  const content = redactText(body);
  const firstLine = content.split("\n").find((line) => line.trim() !== "") ?? "";
  return {
    id: core.ground.newId("memory"),
    title:
      title.trim() === ""
        ? cutCodePoints(firstLine.trim(), titleFromContent)
        : cutCodePoints(redactText(title.trim()), longestTitle),
    content,
    type: "fact" as const,
    concepts: [],
    files: [],
    version: 1,
    isLatest: true,
    project,
    projectKey,
    agentId: null,
    sourceObservationIds: [],
    sessionIds: [],
    parentId: null,
    supersedes: [],
    relatedIds: [],
    forgetAfter: null,
    createdAt: firstMoment,
    updatedAt: firstMoment,
    ...newCurve("fact", firstMoment),
    recallCount: 0,
    lastRecalledAt: null,
    origin: { channel: "user" as const, capturedAt: new Date(firstMoment).toISOString() },
  };
}
