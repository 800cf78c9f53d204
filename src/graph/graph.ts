import type { Projects } from "../capture/projects/projects.ts";
import type { AgentScopes } from "../capture/sessions/agent-scope.ts";
import { fullView, requestedView, type ViewRequest } from "../capture/sessions/view.ts";
import type { AskedBy, Audit } from "../governance/audit/audit.ts";
import type { Ground } from "../ground.ts";
import { enqueue } from "../jobs/jobs.ts";
import type { LongRuns, LongWork } from "../jobs/long-runs.ts";
import { timeText } from "../operation/fields.ts";
import type { Queued } from "../operation/long-operation.ts";
import type { DryRun, Transaction } from "../store/store.ts";
import { sha256 } from "../system/sha256.ts";
import { redactObject } from "../text/redaction/redact.ts";
import type {
  BuildAnswer,
  ExtractAnswer,
  GraphStats,
  ImportAnswer,
  QueryAnswer,
  RebuiltSnapshot,
} from "./answers.ts";
import type { ImportInput, ImportWork } from "./imported/import-graph.ts";
import { type BuildPayload, type BuildWork, Extractions, type ExtractWork } from "./model/extractions.ts";
import { type QueryInput, queryGraph } from "./reading/query.ts";
import { changesSince, takeSnapshot } from "./reading/snapshot.ts";
import { graphStats } from "./reading/stats.ts";
import { backfillJobKind } from "./structural/backfill.ts";
import { graphSettled } from "./structural/settled.ts";
import { type Cleared, clearGraph } from "./upkeep/clear.ts";

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
  readonly longRuns: LongRuns;
}

const works = { extract: "graph.extract", build: "graph.build", import: "graph.import" } as const;

const changesWorthASnapshot = 1_000;
const oldSnapshotMs = 10 * 60_000;

/** The knowledge graph: files, concepts, errors, libraries and what models find, and the relations between them. */
export class Graph {
  readonly #ground: Ground;
  readonly #services: Services;
  #extractions: Extractions | undefined;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
    // The casts are safe: a job's payload was written by its request, whose input the operation's schema checked.
    const { longRuns } = services;
    longRuns.register(works.extract, ({ id, payload }) =>
      this.extractions.extract(payload as unknown as ExtractWork, id),
    );
    longRuns.register(works.build, (job) =>
      this.extractions.build(job.payload as unknown as BuildPayload, job),
    );
    longRuns.register(works.import, async ({ id, payload }) => {
      const { importGraph } = await import("./imported/import-graph.ts");
      return importGraph(ground, services, payload as unknown as ImportWork, id);
    });
  }

  /** Extracts from the given observations. The request is redacted before it is stored as a job's payload. */
  async extract(input: ExtractWork, waitMs: number): Promise<ExtractAnswer | Queued> {
    // Checked before the job is queued, so that a refused request leaves no job behind.
    await this.#services.agents.reader(this.#ground.store.read.sql, input);
    const payload = redactObject({ ...input });
    return this.#run(works.extract, payload, waitMs);
  }

  async build(input: BuildWork, waitMs: number): Promise<BuildAnswer | Queued> {
    await this.#services.agents.reader(this.#ground.store.read.sql, input);
    return this.#run(works.build, { ...input }, waitMs, { goesOn: true });
  }

  /** Reads the graph file of another tool. Errors: forbidden, not_found, invalid_input, too_large. */
  async import(input: ImportInput, waitMs: number, by: AskedBy): Promise<ImportAnswer | Queued> {
    const { importPlace } = await import("./imported/import-graph.ts");
    const { audit, longRuns } = this.#services;
    const place = { ...importPlace(this.#ground, input) };
    const payload: ImportWork = { ...place, by: audit.effective(by) };
    return longRuns.run({ kind: works.import, key: keyOf(place), payload: { ...payload } }, waitMs);
  }

  #run<Result>(
    kind: string,
    payload: Readonly<Record<string, unknown>>,
    waitMs: number,
    more: Pick<LongWork, "goesOn"> = {},
  ): Promise<Result | Queued> {
    return this.#services.longRuns.run<Result>({ kind, key: keyOf(payload), payload, ...more }, waitMs);
  }

  get extractions(): Extractions {
    this.#extractions ??= new Extractions(this.#ground, this.#services);
    return this.#extractions;
  }

  /** Nodes and edges, a page at a time. Error: not_found for an unknown start. */
  async query(input: QueryInput): Promise<QueryAnswer> {
    await graphSettled(this.#ground);
    return queryGraph(this.#ground.store.read.sql, this.#services, input);
  }

  async stats(input: ViewRequest): Promise<GraphStats> {
    await graphSettled(this.#ground);
    const { sql } = this.#ground.store.read;
    return graphStats(sql, await requestedView(sql, this.#services, input), this.#ground.now());
  }

  async rebuildSnapshot(by: AskedBy = {}): Promise<RebuiltSnapshot> {
    const { store, now } = this.#ground;
    const startedAt = performance.now();
    const at = now();
    await graphSettled(this.#ground);
    return store.write(async (tx) => {
      const top = await takeSnapshot(tx.sql, at);
      const stats = await graphStats(tx.sql, fullView, at);
      const counts = { totalNodes: stats.nodes, totalEdges: stats.edges };
      const details = { ...counts, topNodes: top.nodes, topEdges: top.edges };
      const entry = {
        operation: "graph_snapshot",
        functionId: "graph.snapshot",
        targetIds: [],
        details,
      } as const;
      await this.#services.audit.recordUnscoped(tx, by, entry);
      return {
        ...counts,
        nodesByType: stats.nodesByType,
        edgesByType: stats.edgesByType,
        topNodes: top.nodes,
        topEdges: top.edges,
        updatedAt: timeText(at),
        tookMs: Math.round(performance.now() - startedAt),
      };
    });
  }

  /** Replaces the snapshot when enough has changed since it was taken, or when it is old. Returns whether it did. */
  async refreshSnapshot(): Promise<boolean> {
    const { store, now } = this.#ground;
    await graphSettled(this.#ground);
    const { changes, takenAt } = await changesSince(store.read.sql);
    // The distance, since a clock that was ahead then may have been set back.
    const isOld = takenAt === null || Math.abs(now() - takenAt) >= oldSnapshotMs;
    if (changes === 0 || (changes < changesWorthASnapshot && !isOld)) return false;
    await store.write((tx) => takeSnapshot(tx.sql, now()));
    return true;
  }

  /** Empties the graph; with `rebuildStructural` the structural layer (by rules) is rebuilt in the background. */
  async reset(
    input: DryRun & {
      readonly rebuildStructural: boolean;
    },
    by: AskedBy = {},
  ): Promise<{ cleared: Cleared; tookMs: number; rebuildQueued: boolean }> {
    const startedAt = performance.now();
    await graphSettled(this.#ground);
    const work = async (tx: Transaction) => {
      const gone = await clearGraph(tx.sql);
      if (input.rebuildStructural) await enqueue(tx, this.#ground, { kind: backfillJobKind, key: "graph" });
      const details = { ...gone, rebuildQueued: input.rebuildStructural };
      const entry = { operation: "graph_reset", functionId: "graph.reset", targetIds: [], details } as const;
      await this.#services.audit.recordUnscoped(tx, by, entry);
      return gone;
    };
    const cleared = await this.#ground.store.write(work, { dryRun: input.dryRun });
    if (input.rebuildStructural && input.dryRun !== true) this.#ground.wakeJobs();
    return {
      cleared,
      tookMs: Math.round(performance.now() - startedAt),
      rebuildQueued: input.rebuildStructural,
    };
  }
}

/** Key of a job: identical requests get the same key, so they share one job. */
function keyOf(payload: Readonly<Record<string, unknown>>): string {
  return sha256(JSON.stringify(payload)).slice(0, 32);
}
