import { eq, inArray } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import { putDocument } from "../../index/documents/documents.ts";
import { changedAt } from "../../store/changed-at.ts";
import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { turnGiver } from "../../store/turns.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { similarityTo, tokenSet } from "../../text/similarity.ts";
import { memoryDocument } from "./document.ts";
import type { MemoryRow } from "./record.ts";
import { mostRelated } from "./relations/relink.ts";
import { memories } from "./tables.ts";
import { supersede } from "./versions.ts";

/*
 * Two latest memories that say nearly the same about the same thing: the newer one is right. Texts that are so
 * alike share at least one of their rarest words, so only those pairs are compared that do.
 */

const contradictsAbove = 0.9;
const newestLookedAt = 1_000;
/** What is found beyond it is found again in the next run. */
const maxFound = 200;

interface Contradiction {
  /** The newer one. */
  readonly memoryA: string;
  readonly memoryB: string;
  readonly similarity: number;
}

interface Candidate {
  readonly id: string;
  readonly content: string;
  readonly concepts: readonly string[];
  readonly words: ReadonlySet<string>;
}

type GiveTurn = () => Promise<void>;

/** Pairs among the newest latest memories of one project and agent that share a concept and are nearly equal. */
export async function findContradictions(sql: Sql): Promise<Contradiction[]> {
  const rows = await sql.all<{
    id: string;
    content: string;
    concepts: string;
    projectKey: string | null;
    agentId: string | null;
  }>(
    `SELECT id, content, concepts, project_key AS projectKey, agent_id AS agentId FROM memories
     WHERE is_latest = 1 ORDER BY created_at DESC, id DESC LIMIT ${newestLookedAt}`,
  );
  const giveTurn = turnGiver();
  const groups = new Map<string, Candidate[]>();
  for (const { projectKey, agentId, concepts, ...row } of rows) {
    const key = JSON.stringify([projectKey, agentId]);
    const candidate = {
      ...row,
      concepts: textsIn(concepts).map((concept) => concept.toLowerCase()),
      words: tokenSet(row.content),
    };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
    await giveTurn();
  }
  const found: Contradiction[] = [];
  for (const group of groups.values()) found.push(...(await contradictionsIn(group, giveTurn)));
  return found.slice(0, maxFound);
}

/** Newest first, as the rows come: an older one that was superseded supersedes nothing any more. */
async function contradictionsIn(group: readonly Candidate[], giveTurn: GiveTurn): Promise<Contradiction[]> {
  const documentFrequency = new Map<string, number>();
  for (const { words } of group) {
    for (const word of words) documentFrequency.set(word, (documentFrequency.get(word) ?? 0) + 1);
    await giveTurn();
  }
  const newerWith = new Map<string, Candidate[]>();
  const found: Contradiction[] = [];
  for (const older of group) {
    if (found.length >= maxFound) break;
    await giveTurn();
    const rarest = rarestWords(older, documentFrequency);
    const contradiction = await contradictionOf(
      older,
      rarest.flatMap((word) => newerWith.get(word) ?? []),
      giveTurn,
    );
    if (contradiction !== undefined) {
      found.push(contradiction);
      continue;
    }
    for (const word of rarest) {
      const newer = newerWith.get(word);
      if (newer === undefined) newerWith.set(word, [older]);
      else newer.push(older);
    }
  }
  return found;
}

/** With the first of some newer memories that says nearly the same. */
async function contradictionOf(
  older: Candidate,
  newerOnes: readonly Candidate[],
  giveTurn: GiveTurn,
): Promise<Contradiction | undefined> {
  for (const newer of new Set(newerOnes)) {
    await giveTurn();
    const similarity = likeness(newer, older);
    if (similarity > contradictsAbove)
      return { memoryA: newer.id, memoryB: older.id, similarity: Math.round(similarity * 1e4) / 1e4 };
  }
  return undefined;
}

/** Two texts that share more than nine tenths of their words share one of the rarest tenth of either. */
function rarestWords({ words }: Candidate, frequency: ReadonlyMap<string, number>): string[] {
  const count = words.size - Math.ceil(contradictsAbove * words.size) + 1;
  return [...words]
    .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || compareTexts(a, b))
    .slice(0, count);
}

function likeness(a: Candidate, b: Candidate): number {
  const shareConcept = a.concepts.some((concept) => b.concepts.includes(concept));
  return shareConcept ? closeness(a.words, b.words) : 0;
}

/** Shared members by all; 0 as soon as too many are missing for two that contradict each other. */
function closeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  const neededShared = (contradictsAbove * (a.size + b.size)) / (1 + contradictsAbove);
  const mayMiss = smaller.size - neededShared;
  if (mayMiss < 0) return 0;
  let missing = 0;
  for (const word of smaller) {
    if (larger.has(word)) continue;
    missing += 1;
    if (missing > mayMiss) return 0;
  }
  const shared = smaller.size - missing;
  return shared / (a.size + b.size - shared);
}

/** Supersedes the older of each pair, as far as both are still there as they were. Returns what was done. */
export async function settleContradictions(
  tx: Transaction,
  ground: Ground,
  contradictions: readonly Contradiction[],
): Promise<Contradiction[]> {
  const settled: Contradiction[] = [];
  for (const pair of contradictions) {
    const rows = await tx.orm
      .select()
      .from(memories)
      .where(inArray(memories.id, [pair.memoryA, pair.memoryB]));
    const newer = rows.find(({ id }) => id === pair.memoryA);
    const older = rows.find(({ id }) => id === pair.memoryB);
    if (newer === undefined || older === undefined || !newer.isLatest || !older.isLatest) continue;
    if (similarityTo(newer.content)(older.content) <= contradictsAbove) continue;
    await supersede(tx, ground, older, newer);
    await adopt(tx, ground, newer, older);
    settled.push(pair);
  }
  return settled;
}

/** The newer one lists what it took the place of among its earlier versions. */
async function adopt(tx: Transaction, ground: Ground, newer: MemoryRow, older: MemoryRow): Promise<void> {
  const supersedes = [...new Set([older.id, ...older.supersedes, ...newer.supersedes])];
  const relatedIds = [...new Set([older.id, ...newer.relatedIds])].slice(0, mostRelated);
  const updatedAt = changedAt(ground.now(), newer.updatedAt);
  const parentId = newer.parentId ?? older.id;
  const row = { ...newer, parentId, supersedes, relatedIds, updatedAt };
  await tx.orm.update(memories).set(row).where(eq(memories.id, newer.id));
  await putDocument(tx.sql, memoryDocument(row));
}
