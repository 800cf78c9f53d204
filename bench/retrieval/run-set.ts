import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Core } from "../../src/core.ts";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { openCore } from "../../src/open-core.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { percentile } from "../percentile.ts";
import { meanQuality, type Quality, qualityOf } from "./figures.ts";
import { plainFts } from "./plain-fts.ts";
import type { EvaluationSet } from "./pools.ts";
import { type RecordKind, recordKindOf, storePool } from "./record-kinds.ts";

export interface Halves {
  /** Queries at even positions, on which parameters are tuned. */
  readonly tuning: Quality;
  /** Queries at odd positions, whose figures are reported. */
  readonly heldOut: Quality;
}

export interface SetResult {
  readonly name: string;
  readonly storedAs: RecordKind;
  readonly documents: number;
  readonly queries: number;
  readonly memsvc: Halves;
  readonly plainFts: Halves;
  readonly msPerQuery: { readonly p50: number; readonly p95: number };
}

const asked = 10;

/** Stores a set, each pool as a project, and asks all its queries with the product's own search. */
export async function runSet(set: EvaluationSet, env: Readonly<Record<string, string>>): Promise<SetResult> {
  const home = mkdtempSync(join(tmpdir(), "memsvc-retrieval-"));
  // Later than the last message of any pool.
  const now = Date.UTC(2026, 0, 1) + dayMs;
  const core = await openCore({ home, env: { MEMSVC_DURABILITY: "relaxed", ...env }, now: () => now });
  const storedAs = recordKindOf(set.name);
  const ours: Quality[] = [];
  const plain: Quality[] = [];
  const took: number[] = [];
  try {
    for (const [at, pool] of set.pools.entries()) {
      const project = `pool-${at}`;
      const stored = await storePool(core, project, pool, storedAs);
      if (core.embeddings.available) await DocumentEmbedder.runOnce(core.ground, core.embeddings);
      const reference = plainFts(pool);
      for (const [query, answers] of pool.queries) {
        const gold = new Set(answers);
        const startedAt = performance.now();
        const records = await ask(core, project, query);
        took.push(performance.now() - startedAt);
        ours.push(
          qualityOf(
            records.flatMap((record) => stored.get(record) ?? []),
            gold,
          ),
        );
        plain.push(qualityOf(reference.search(query, asked), gold));
      }
      reference.close();
    }
  } finally {
    await core.close();
    rmSync(home, { recursive: true, force: true });
  }
  return {
    name: set.name,
    storedAs,
    documents: set.pools.reduce((sum, { docs }) => sum + docs.length, 0),
    queries: ours.length,
    memsvc: halvesOf(ours),
    plainFts: halvesOf(plain),
    msPerQuery: { p50: percentile(took, 0.5), p95: percentile(took, 0.95) },
  };
}

/** Asks as the viewer does: its hits do not count as recalled, so no answer changes the ranking of the next. */
async function ask(core: Core, project: string, query: string): Promise<string[]> {
  const answer = await core.call(
    smartSearch,
    { query, project, limit: asked },
    { face: "library", source: "viewer" },
  );
  return answer.results.map(({ obsId }) => obsId);
}

function halvesOf(qualities: readonly Quality[]): Halves {
  const half = (rest: number) => meanQuality(qualities.filter((_, at) => at % 2 === rest));
  return { tuning: half(0), heldOut: half(1) };
}
