import { eq, inArray } from "drizzle-orm";
import { happeningsOf } from "../../capture/observations/history.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/estimate.ts";
import { extractSummary, summaryQuality } from "./extractive.ts";
import { type SessionSummary, type SummaryRow, summaryRecord } from "./record.ts";
import { sessionSummaries } from "./tables.ts";

/** A session's own `summary` is the narrative, cut. */
const sessionSummaryLength = 500;

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
  readonly audit: Audit;
}

export interface Summarized {
  readonly summary: SessionSummary;
  readonly qualityScore: number;
  readonly provider: string;
}

/** What sessions were about, one summary each. */
export class Summaries {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Makes a session's summary, or makes it again. Errors: not_found; conflict when there is nothing to summarise. */
  async summarize(input: ScopeRequest & { readonly sessionId: string }): Promise<Summarized> {
    const { store, now } = this.#ground;
    return store.write(async (tx) => {
      const filter = await this.#services.agents.reader(tx.sql, input);
      const session = await this.#services.sessions.visible(tx, input.sessionId, filter);
      const { happenings, newest } = await happeningsOf(tx.sql, session.id);
      if (happenings.length === 0) {
        throw new MemsvcError("conflict", `session ${session.id} has no observations to summarise`);
      }
      const extract = extractSummary(happenings, session.firstPrompt);
      const row: SummaryRow = {
        ...extract,
        sessionId: session.id,
        project: session.project,
        projectKey: session.projectKey,
        agentId: session.agentId,
        createdAt: now(),
        observationCount: session.observationCount,
        lastObservation: newest,
        provider: "extractive",
        qualityScore: summaryQuality(extract),
      };
      await tx.orm
        .insert(sessionSummaries)
        .values(row)
        .onConflictDoUpdate({ target: sessionSummaries.sessionId, set: row });
      await this.#services.sessions.describe(
        tx,
        session.id,
        cutCodePoints(extract.narrative, sessionSummaryLength),
      );
      await this.#services.audit.record(tx, {
        operation: "summarize",
        functionId: "session.summarize",
        targetIds: [session.id],
        details: { provider: row.provider },
        qualityScore: row.qualityScore,
        agentId: session.agentId,
      });
      return { summary: summaryRecord(row), qualityScore: row.qualityScore, provider: row.provider };
    });
  }

  /** Summaries of sessions, by session id; sessions without one are left out. */
  async bySession(sessionIds: readonly string[]): Promise<Map<string, SummaryRow>> {
    if (sessionIds.length === 0) return new Map();
    const rows = await this.#ground.store.read.orm
      .select()
      .from(sessionSummaries)
      .where(inArray(sessionSummaries.sessionId, [...sessionIds]));
    return new Map(rows.map((row) => [row.sessionId, row]));
  }

  async remove(tx: Transaction, sessionId: string): Promise<void> {
    await tx.orm.delete(sessionSummaries).where(eq(sessionSummaries.sessionId, sessionId));
  }
}
