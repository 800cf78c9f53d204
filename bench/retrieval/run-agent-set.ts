import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { observe } from "../../src/capture/observations/operations.ts";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { openCore } from "../../src/open-core.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { percentile } from "../percentile.ts";
import { agentEvents, agentQuestions, askedAt, observeInputOf, type QuestionKind } from "./agent-set.ts";
import { meanQuality, type Quality, qualityOf } from "./figures.ts";

export interface AgentResult {
  readonly observations: number;
  readonly byKind: Readonly<Record<string, Quality & { readonly questions: number }>>;
  readonly all: Quality;
  /** Share of the unanswerable questions that got no hit, or only hits marked as weak. */
  readonly honest: number;
  /** Share of the answerable questions whose best hit is marked as weak, or that got no hit. */
  readonly doubted: number;
  readonly msPerQuery: { readonly p50: number; readonly p95: number };
  /** Questions whose answer is not among the first ten. */
  readonly missed: readonly string[];
}

const asked = 10;

/** Stores the events of the agent set in a fresh store as hooks do, and asks its questions. */
export async function runAgentSet(env: Readonly<Record<string, string>>): Promise<AgentResult> {
  const home = mkdtempSync(join(tmpdir(), "memsvc-agent-set-"));
  let now = askedAt;
  const core = await openCore({ home, env: { MEMSVC_DURABILITY: "relaxed", ...env }, now: () => now });
  const labels = new Map<string, string>();
  const qualities: { kind: QuestionKind; quality: Quality }[] = [];
  const took: number[] = [];
  const missed: string[] = [];
  let honest = 0;
  let doubted = 0;
  try {
    for (const event of agentEvents()) {
      now = event.at;
      const receipt = await core.call(observe, observeInputOf(event), { face: "library" });
      labels.set(receipt.observationId, event.label);
    }
    if (core.embeddings.available) await DocumentEmbedder.runOnce(core.ground, core.embeddings);
    now = askedAt;
    for (const { kind, project, question, answers } of agentQuestions()) {
      const startedAt = performance.now();
      const { results } = await core.call(
        smartSearch,
        { query: question, project, limit: asked },
        { face: "library", source: "viewer" },
      );
      took.push(performance.now() - startedAt);
      const isSure = results[0]?.match === "strong";
      if (kind === "unanswerable") {
        if (!isSure) honest += 1;
        else missed.push(`${kind}: ${question}: ${results[0]?.title}`);
        continue;
      }
      if (!isSure) doubted += 1;
      const ranking = results.map(({ obsId }) => labels.get(obsId) ?? obsId);
      const quality = qualityOf(ranking, new Set(answers));
      if (quality.mrr10 < 1) missed.push(`${kind}: ${question}: ${ranking.slice(0, 4).join("; ")}`);
      qualities.push({ kind, quality });
    }
  } finally {
    await core.close();
    rmSync(home, { recursive: true, force: true });
  }
  const kinds = [...new Set(qualities.map(({ kind }) => kind))];
  return {
    observations: labels.size,
    byKind: Object.fromEntries(
      kinds.map((kind) => {
        const some = qualities.filter((item) => item.kind === kind).map(({ quality }) => quality);
        return [kind, { ...meanQuality(some), questions: some.length }];
      }),
    ),
    all: meanQuality(qualities.map(({ quality }) => quality)),
    honest: honest / (took.length - qualities.length),
    doubted: doubted / qualities.length,
    msPerQuery: { p50: percentile(took, 0.5), p95: percentile(took, 0.95) },
    missed,
  };
}
