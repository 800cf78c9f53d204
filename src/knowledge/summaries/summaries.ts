import { and, desc, eq, sql as text } from "drizzle-orm";
import {
  isUnchanged,
  readSession,
  type SessionReading,
} from "../../capture/observations/reads/read-session.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { longestSessionSummary, type SessionRow } from "../../capture/sessions/record.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { type View, viewCondition } from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { type Made, summarizeByRules } from "./by-rules.ts";
import { summaryQuality } from "./extractive.ts";
import { type Summarized, type SummaryRow, summarized } from "./record.ts";
import { summariesOf } from "./stored-summaries.ts";
import { sessionSummaries } from "./tables.ts";

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly longRuns: LongRuns;
}

interface SummarizeInput extends ScopeRequest {
  readonly sessionId: string;
}

interface Circumstances {
  /** Nobody waits for the summary, so it may wait for a model that is not available now. */
  readonly background: boolean;
  /** Whether no model is to be asked. */
  readonly byRules?: boolean;
  /** The job that makes the summary, if there is one. */
  readonly jobId?: string;
}

const summarizeJobKind = "session.summarize";

/** Summaries of sessions, one each. */
export class Summaries {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
    services.longRuns.register(summarizeJobKind, ({ id, payload }) =>
      this.summarize(
        { sessionId: String(payload.sessionId), agentId: "*" },
        { background: false, jobId: id },
      ),
    );
  }

  /**
   * Makes a session's summary, or makes it again: answers with it if that takes at most `waitMs`, else with
   * the job. Errors: those of `summarize`.
   */
  async request(input: SummarizeInput, waitMs: number): Promise<Summarized | Queued> {
    const { read } = this.#ground.store;
    // Rules are quick; only a model may take longer than a request.
    if (this.#ground.llm.provider === "noop") return this.summarize(input, { background: false });
    const { id: sessionId } = await this.#session(read, input);
    return this.#services.longRuns.run<Summarized>(
      { kind: summarizeJobKind, key: sessionId, payload: { sessionId } },
      waitMs,
    );
  }

  /**
   * Makes a session's summary, or makes it again. Errors: not_found; conflict when there is nothing to
   * summarise; in the background also unavailable, when the model is worth waiting for; until then there is a
   * summary by rules.
   */
  async summarize(input: SummarizeInput, circumstances: Circumstances): Promise<Summarized> {
    const isByRules = this.#ground.llm.provider === "noop" || circumstances.byRules === true;
    if (isByRules) return this.#keep(input, circumstances, undefined, undefined);
    const { read } = this.#ground.store;
    const session = await this.#session(read, input);
    const reading = await readSession(read.sql, session.id);
    if (reading.observations.length === 0) throw nothingToSummarize(session.id);
    const known = circumstances.background ? await this.#ofModel(session.id, reading) : undefined;
    if (known !== undefined) return known;
    const { summarizeByModel } = await import("./by-model.ts");
    const answer = await summarizeByModel(this.#ground, reading.observations, circumstances).catch(
      async (error: unknown) => {
        if (circumstances.background && !(await this.#isSummarized(session.id, reading.newest)))
          await this.#keep(input, circumstances, undefined, undefined);
        throw error;
      },
    );
    if (answer.kind === "failed") return this.#keep(input, circumstances, undefined, answer.warning);
    const { extract, provider, warning } = answer;
    return this.#keep(input, circumstances, { extract, provider, reading }, warning);
  }

  async #session(at: Connection, input: SummarizeInput): Promise<SessionRow> {
    const filter = await this.#services.agents.reader(at.sql, input);
    return this.#services.sessions.visible(at, input.sessionId, filter);
  }

  /**
   * Stores the model's summary, unless observations that it was made from were deleted meanwhile; otherwise
   * stores a summary by rules of what is there now.
   */
  async #keep(
    input: SummarizeInput,
    { jobId }: Circumstances,
    fromModel: Omit<Made, "observationCount"> | undefined,
    warning: string | undefined,
  ): Promise<Summarized> {
    return this.#ground.store.write(async (tx) => {
      const session = await this.#session(tx, input);
      const isWhole = fromModel !== undefined && (await isUnchanged(tx.sql, session.id, fromModel.reading));
      const made = isWhole
        ? { ...fromModel, observationCount: fromModel.reading.stored }
        : await summarizeByRules(tx.sql, session);
      if (made === undefined) throw nothingToSummarize(session.id);
      const row = await this.#write(tx, session, made);
      await this.#services.audit.record(tx, {
        operation: "summarize",
        functionId: "session.summarize",
        targetIds: [session.id],
        details: { provider: row.provider, jobId },
        qualityScore: row.qualityScore,
        agentId: session.agentId,
      });
      const told =
        fromModel === undefined || isWhole
          ? warning
          : "made by rules: the session lost observations meanwhile";
      return { ...summarized(row), ...(told === undefined ? {} : { warning: told }) };
    });
  }

  async #write(tx: Transaction, session: SessionRow, made: Made): Promise<SummaryRow> {
    const { extract, provider, reading, observationCount } = made;
    const row: SummaryRow = {
      ...extract,
      sessionId: session.id,
      project: session.project,
      projectKey: session.projectKey,
      agentId: session.agentId,
      createdAt: this.#ground.now(),
      observationCount,
      lastObservation: reading.newest,
      provider,
      qualityScore: summaryQuality(extract),
    };
    await tx.orm
      .insert(sessionSummaries)
      .values(row)
      .onConflictDoUpdate({ target: sessionSummaries.sessionId, set: row });
    const shown = cutCodePoints(extract.narrative || extract.title, longestSessionSummary);
    await this.#services.sessions.describe(tx, session.id, shown);
    return row;
  }

  /** The stored summary, if a model made it from exactly these observations. */
  async #ofModel(sessionId: string, { newest, stored }: SessionReading): Promise<Summarized | undefined> {
    const row = await this.#stored(sessionId);
    if (row === undefined || row.provider === "extractive") return undefined;
    if (row.lastObservation !== newest || row.observationCount !== stored) return undefined;
    return summarized(row);
  }

  async #stored(sessionId: string): Promise<SummaryRow | undefined> {
    return (await summariesOf(this.#ground.store.read, [sessionId])).get(sessionId);
  }

  async #isSummarized(sessionId: string, newest: number): Promise<boolean> {
    const summary = await this.#stored(sessionId);
    return summary !== undefined && summary.lastObservation >= newest;
  }

  /** The summaries of the newest sessions that have one, within the view. */
  async newest(view: View, limit: number): Promise<SummaryRow[]> {
    return this.#ground.store.read.orm
      .select()
      .from(sessionSummaries)
      .where(viewCondition(view, sessionSummaries))
      .orderBy(desc(sessionSummaries.lastObservation), desc(sessionSummaries.sessionId))
      .limit(limit);
  }

  /** The summaries of those of these sessions that have one, within the view. */
  async among(sessionIds: readonly string[], view: View): Promise<SummaryRow[]> {
    return this.#ground.store.read.orm
      .select()
      .from(sessionSummaries)
      .where(
        and(
          text`${sessionSummaries.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)}))`,
          viewCondition(view, sessionSummaries),
        ),
      );
  }

  /**
   * Makes the summary of a session again by rules, so that it says no more than what is left of the session; keeps it
   * if nothing is left. Undefined if there is no summary.
   */
  async renew(tx: Transaction, sessionId: string): Promise<"renewed" | "kept" | undefined> {
    if ((await summariesOf(tx, [sessionId])).size === 0) return undefined;
    const session = await this.#services.sessions.find(tx, sessionId);
    const made = session && (await summarizeByRules(tx.sql, session));
    if (session === undefined || made === undefined) return "kept";
    await this.#write(tx, session, made);
    return "renewed";
  }

  /** Undefined if there was no summary. */
  async remove(tx: Transaction, sessionId: string): Promise<"deleted" | undefined> {
    const gone = await tx.orm
      .delete(sessionSummaries)
      .where(eq(sessionSummaries.sessionId, sessionId))
      .returning({ sessionId: sessionSummaries.sessionId });
    return gone.length > 0 ? "deleted" : undefined;
  }
}

function nothingToSummarize(sessionId: string): MemsvcError {
  return new MemsvcError("conflict", `session ${sessionId} has no observations to summarise`);
}
