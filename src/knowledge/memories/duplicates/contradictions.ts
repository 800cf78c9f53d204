import { eq, inArray } from "drizzle-orm";
import type { Ground } from "../../../ground.ts";
import { groupBy } from "../../../group-by.ts";
import { putDocument } from "../../../index/documents/documents.ts";
import { roundTo } from "../../../round-to.ts";
import { changedAt } from "../../../store/changed-at.ts";
import { textsIn } from "../../../store/json-columns.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { turnGiver } from "../../../store/turns.ts";
import { compareTexts } from "../../../text/compare-texts.ts";
import { similarityTo, tokenSet } from "../../../text/similarity.ts";
import { memoryDocument } from "../document.ts";
import { isSeparate } from "../memory-origin.ts";
import type { MemoryRow } from "../record.ts";
import { mostRelated } from "../relations/relink.ts";
import { memories } from "../tables.ts";
import { supersede } from "../versions/versions.ts";

/*
 * Finds latest memories that say nearly the same about the same subject; of such a pair the newer one is
 * right, unless their author keeps them apart. Texts this similar share at least one of their rarest words, so
 * only pairs that do are compared.
 */

const contradictsAbove = 0.9;
const newestLookedAt = 1_000;
/** Further ones are found in the next run. */
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

/**
 * Pairs among the newest latest memories of the same project and agent that share a concept and are nearly
 * equal.
 */
export async function findContradictions(sql: Sql): Promise<Contradiction[]> {
  const rows = await sql.all<{
    id: string;
    content: string;
    concepts: string;
    projectKey: string | null;
    agentId: string | null;
  }>(
    `SELECT id, content, concepts, project_key AS projectKey, agent_id AS agentId FROM memories
     WHERE is_latest = 1 AND json_extract(origin, '$.separate') IS NULL
     ORDER BY created_at DESC, id DESC LIMIT ${newestLookedAt}`,
  );
  const giveTurn = turnGiver();
  const candidates: (Candidate & { readonly scope: string })[] = [];
  for (const { projectKey, agentId, concepts, ...row } of rows) {
    candidates.push({
      ...row,
      concepts: textsIn(concepts).map((concept) => concept.toLowerCase()),
      words: tokenSet(row.content),
      scope: JSON.stringify([projectKey, agentId]),
    });
    await giveTurn();
  }
  const found: Contradiction[] = [];
  for (const group of groupBy(candidates, ({ scope }) => scope).values())
    found.push(...(await contradictionsIn(group, giveTurn)));
  return found.slice(0, maxFound);
}

/** Rows come newest first. A memory that turned out to be contradicted is not compared with older ones. */
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

/** The contradiction of a memory with the first of some newer ones that says nearly the same. */
async function contradictionOf(
  older: Candidate,
  newerOnes: readonly Candidate[],
  giveTurn: GiveTurn,
): Promise<Contradiction | undefined> {
  for (const newer of new Set(newerOnes)) {
    await giveTurn();
    const similarity = likeness(newer, older);
    if (similarity > contradictsAbove)
      return { memoryA: newer.id, memoryB: older.id, similarity: roundTo(similarity, 4) };
  }
  return undefined;
}

/**
 * Enough of the rarest words that two texts which contradict each other (more than nine tenths of their words
 * in common) must share one of them.
 */
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

/**
 * The Jaccard similarity (shared words by all words); 0 as soon as it cannot reach `contradictsAbove` any
 * more.
 */
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

/**
 * Supersedes the older memory of each pair, unless one of them has changed meanwhile. Returns the pairs that
 * were settled.
 */
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
    if (isSeparate(newer.origin) || isSeparate(older.origin)) continue;
    if (similarityTo(newer.content)(older.content) <= contradictsAbove) continue;
    await supersede(tx, ground, older, newer);
    await adopt(tx, ground, newer, older);
    settled.push(pair);
  }
  return settled;
}

/** Makes the older memory an earlier version of the newer one. */
async function adopt(tx: Transaction, ground: Ground, newer: MemoryRow, older: MemoryRow): Promise<void> {
  const supersedes = [...new Set([older.id, ...older.supersedes, ...newer.supersedes])];
  const relatedIds = [...new Set([older.id, ...newer.relatedIds])].slice(0, mostRelated);
  const updatedAt = changedAt(ground.now(), newer.updatedAt);
  const parentId = newer.parentId ?? older.id;
  const row = { ...newer, parentId, supersedes, relatedIds, updatedAt };
  await tx.orm.update(memories).set(row).where(eq(memories.id, newer.id));
  await putDocument(tx.sql, memoryDocument(row));
}
