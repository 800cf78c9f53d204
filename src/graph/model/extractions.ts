import { type ObservationText, textsAfter, textsOf } from "../../capture/observations/reads/graph-rows.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { type AgentScopes, isVisible, type ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { requestedView, type View } from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { type Job, savePayloadIn } from "../../jobs/jobs.ts";
import { AnsweredQuestions } from "../../llm/answered-questions.ts";
import { Patience } from "../../llm/patience.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { BuildAnswer, ExtractAnswer } from "../answers.ts";
import { type Extracted, extractBatches, nothingExtracted } from "./model-layer.ts";
import { unextracted } from "./unextracted.ts";

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
}

/** An observation as the caller sent it. When its id is known, the stored observation is used instead. */
interface ToldObservation {
  readonly id?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly title?: string | undefined;
  readonly narrative?: string | undefined;
  readonly facts?: readonly string[] | undefined;
  readonly concepts?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
}

export interface ExtractWork extends ScopeRequest {
  readonly observations: readonly (string | ToldObservation)[];
}

export interface BuildWork extends ScopeRequest {
  readonly batchSize: number;
  readonly project?: string | undefined;
  readonly force: boolean;
}

/** What the job of a build keeps. */
export interface BuildPayload extends BuildWork {
  /** An earlier attempt of this forced build already cleared the old marks; those there now are this build's own. */
  readonly hasForgotten?: true;
}

interface SessionOfAgent {
  readonly sessionId: string;
  readonly agentId: string | null;
}

/** The layer of the graph that a language model extracts from observations. */
export class Extractions {
  readonly #ground: Ground;
  readonly #services: Services;
  /** Batches without a usable answer, so that the next stops of the session do not ask about them again. */
  readonly #inVain = new AnsweredQuestions();

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Extracts from the given observations. Errors: not_found (only unknown ids), provider_failed (every batch). */
  async extract(work: ExtractWork, jobId: string | undefined): Promise<ExtractAnswer> {
    const { store, settings } = this.#ground;
    const { sql } = store.read;
    const filter = await this.#services.agents.reader(sql, work);
    const ids = work.observations.map((given) => (typeof given === "string" ? given : given.id));
    const stored = await textsOf(
      sql,
      ids.filter((id) => id !== undefined),
      filter,
    );
    const known = new Set(stored.map(({ id }) => id));
    const told = work.observations.flatMap((given) =>
      typeof given === "string" || (given.id !== undefined && known.has(given.id)) ? [] : [textOfTold(given)],
    );
    const notFound = work.observations.filter(
      (given) => typeof given === "string" && !known.has(given),
    ) as string[];
    if (stored.length + told.length === 0) {
      throw new MemsvcError("not_found", `none of the ${notFound.length} observations is known`, {
        extra: { notFound },
      });
    }
    const options = { size: settings.graphBatchSize, stored: known };
    const agentId = await this.#services.agents.writer(sql, work);
    const totals = await this.#noted(
      { operation: "graph_extract", jobId, targetIds: [...known], agentId },
      (counts) => extractBatches(this.#ground, [...stored, ...told], options, counts),
    );
    refuseAllFailed(totals);
    const { observations: _, ...counts } = totals;
    return {
      ...counts,
      ...(notFound.length > 0 ? { notFound } : {}),
      ...(totals.failedBatches > 0
        ? { warning: `${totals.failedBatches} of ${totals.batches} batches gave no usable answer` }
        : {}),
    };
  }

  /** Extracts from all observations that no model has been asked about. Error: provider_failed (every batch). */
  async build(work: BuildPayload, job: Job): Promise<BuildAnswer> {
    const { store } = this.#ground;
    const view = await requestedView(store.read.sql, this.#services, work);
    if (work.force && work.hasForgotten !== true) await this.#forgetMarks(view, work, job);
    const sessions = new Set<string>();
    const agentId = await this.#services.agents.writer(store.read.sql, work);
    const totals = await this.#noted(
      { operation: "graph_build", jobId: job.id, targetIds: [], agentId },
      async (counts) => {
        const patience = new Patience(this.#ground.llm);
        for await (const texts of unextracted(store.read.sql, { projectKeys: view.keys })) {
          const open = texts.filter(({ agentId }) => isVisible(view.filter, agentId));
          for (const { sessionId } of open) sessions.add(sessionId);
          const options = { size: work.batchSize, patience, stored: idsOf(open) };
          await extractBatches(this.#ground, open, options, counts);
        }
      },
    );
    refuseAllFailed(totals);
    return {
      sessions: sessions.size,
      batches: totals.batches,
      failedBatches: totals.failedBatches,
      nodes: totals.nodesAdded,
      edges: totals.edgesAdded,
      observations: totals.observations,
    };
  }

  /** Extracts from a session's observations that no model has read. Error: unavailable, when to try again later. */
  async extractSession({ sessionId, agentId }: SessionOfAgent): Promise<void> {
    await this.#noted({ operation: "graph_extract", targetIds: [sessionId], agentId }, async (counts) => {
      const { settings, store, llm } = this.#ground;
      const more = { size: settings.graphBatchSize, patience: new Patience(llm), inVain: this.#inVain };
      for await (const texts of unextracted(store.read.sql, { sessionId }))
        await extractBatches(this.#ground, texts, { ...more, stored: idsOf(texts) }, counts);
    });
  }

  /** Clears the marks, so that a build reads everything again; its job records that, so a retry only does the rest. */
  async #forgetMarks({ keys: projectKeys, filter }: View, work: BuildWork, job: Job): Promise<void> {
    const { store } = this.#ground;
    for (let place: number | undefined = 0; place !== undefined; ) {
      const at: number = place;
      place = await store.write(async (tx) => {
        const { texts, last } = await textsAfter(tx.sql, at, { projectKeys });
        await tx.sql.run(
          `UPDATE graph_sources SET extracted = 0
           WHERE kind = 'observation' AND ref IN (SELECT value FROM json_each(?))`,
          [JSON.stringify(texts.filter(({ agentId }) => isVisible(filter, agentId)).map(({ id }) => id))],
        );
        if (last === undefined)
          await savePayloadIn(tx, job, { ...work, hasForgotten: true } satisfies BuildPayload);
        return last;
      });
    }
  }

  /**
   * Counts what a run stores and writes one audit entry for it. It does so even when the run fails, because the batches
   * stored before stay. Errors: those of the run.
   */
  async #noted(entry: RunEntry, run: (counts: Extracted) => Promise<unknown>): Promise<Extracted> {
    const counts = nothingExtracted();
    try {
      await run(counts);
    } finally {
      if (counts.observations > 0) await this.#note(entry, counts);
    }
    return counts;
  }

  async #note({ operation, jobId, targetIds, agentId }: RunEntry, counts: Extracted): Promise<void> {
    await this.#ground.store.write((tx) =>
      this.#services.audit.record(tx, {
        operation,
        functionId: operation === "graph_build" ? "graph.build" : "graph.extract",
        targetIds,
        details: { ...counts, jobId },
        agentId,
      }),
    );
  }
}

/** The audit entry of a run, without its counts. */
interface RunEntry {
  readonly operation: "graph_extract" | "graph_build";
  readonly jobId?: string | undefined;
  readonly targetIds: readonly string[];
  /** The agent on whose behalf it runs. */
  readonly agentId: string | null | undefined;
}

function idsOf(texts: readonly ObservationText[]): ReadonlySet<string> {
  return new Set(texts.map(({ id }) => id));
}

function refuseAllFailed({ batches, failedBatches }: Extracted): void {
  if (batches === 0 || failedBatches < batches) return;
  throw new MemsvcError("provider_failed", `the language model gave no usable answer to ${batches} batches`, {
    hint: "look at the provider's settings and its log lines, and try again",
  });
}

function textOfTold(told: ToldObservation): ObservationText {
  return {
    id: told.id ?? "",
    sessionId: told.sessionId ?? "",
    agentId: null,
    project: null,
    projectKey: null,
    title: told.title ?? "",
    narrative: told.narrative ?? "",
    facts: told.facts ?? [],
    concepts: told.concepts ?? [],
    files: told.files ?? [],
  };
}
