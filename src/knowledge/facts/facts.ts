import { and, eq, isNull } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import { type AgentFilter, type AgentScopes, agentCondition } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { requestedView, type View, type ViewRequest, viewCondition } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { timeText } from "../../operation/fields.ts";
import { changedAt } from "../../store/changed-at.ts";
import { textsIn } from "../../store/json-columns.ts";
import { lastChangedFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { countDecayed } from "../decay/count-decayed.ts";
import { type Addition, addStatement, type GivenStatement } from "../statements/add-statement.ts";
import { addsNew, mergeSources } from "../statements/merge-unique.ts";
import { statementKey } from "../statements/statement-key.ts";
import { type FactRow, factRecord, type SemanticMemory } from "./record.ts";
import { replacedFacts } from "./replaced-facts.ts";
import { factRows } from "./rows.ts";
import { semanticMemories } from "./tables.ts";

const longestFact = 1_000;

export interface NewFact extends GivenStatement {
  readonly fact: string;
  readonly confidence: number;
  readonly sourceSessionIds?: readonly string[];
  readonly sourceMemoryIds?: readonly string[];
  /** A model provider, or `extractive`. */
  readonly provider: string;
}

interface FactServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
}

/** Facts: statements that were found to hold over several sessions. */
export class Facts {
  readonly #ground: Ground;
  readonly #services: FactServices;

  constructor(ground: Ground, services: FactServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Adds a fact inside the caller's transaction. A fact with the same words, project and agent is reinforced
   * instead.
   */
  add(tx: Transaction, given: NewFact): Promise<Addition<FactRow>> {
    const fact = asStored(given.fact);
    const factKey = statementKey(fact);
    const now = this.#ground.now();
    const sources = (known?: FactRow) => ({
      sourceSessionIds: mergeSources(known?.sourceSessionIds, given.sourceSessionIds),
      sourceMemoryIds: mergeSources(known?.sourceMemoryIds, given.sourceMemoryIds),
    });
    return addStatement(tx, this.#services.projects, factRows, {
      given,
      isSame: { text: "fact_key = ?", args: [factKey] },
      hasNews: (known) => isOfMore(known, given),
      reinforced: (known) => ({
        ...known,
        ...sources(known),
        confidence: Math.max(known.confidence, given.confidence),
        strength: Math.max(known.strength, given.confidence),
        accessCount: known.accessCount + 1,
        lastAccessedAt: now,
        updatedAt: changedAt(now, known.updatedAt),
      }),
      created: (owner) => ({
        id: this.#ground.newId("semantic"),
        fact,
        factKey,
        confidence: given.confidence,
        strength: given.confidence,
        ...owner,
        ...sources(),
        accessCount: 0,
        lastAccessedAt: now,
        provider: given.provider,
        createdAt: now,
        updatedAt: now,
      }),
    });
  }

  /** Of facts drawn for one project and agent, those that are already known from the same sessions. */
  async thatAreNoNews<Drawn extends Pick<NewFact, "fact" | "sourceSessionIds">>(
    { projectKey, agentId }: { readonly projectKey: string | null; readonly agentId: string | undefined },
    drawn: readonly Drawn[],
  ): Promise<Drawn[]> {
    const keys = drawn.map(({ fact }) => statementKey(asStored(fact)));
    const rows = await this.#ground.store.read.sql.all<{ key: string; sessionIds: string }>(
      `SELECT fact_key AS key, source_session_ids AS sessionIds FROM semantic_memories
       WHERE fact_key IN (SELECT value FROM json_each(?)) AND +project_key IS ? AND +agent_id IS ?`,
      [JSON.stringify(keys), projectKey, agentId ?? null],
    );
    const known = new Map(rows.map(({ key, sessionIds }) => [key, new Set(textsIn(sessionIds))]));
    return drawn.filter(({ sourceSessionIds = [] }, at) => {
      const sessionIds = known.get(keys[at] ?? "");
      return sessionIds !== undefined && sourceSessionIds.every((id) => sessionIds.has(id));
    });
  }

  /** Last changed first. */
  async list(input: ViewRequest & Paging): Promise<{ semantic: SemanticMemory[] } & Paged> {
    const { read } = this.#ground.store;
    const where = viewCondition(await requestedView(read.sql, this.#services, input), semanticMemories);
    const selection = { where, order: lastChangedFirst(semanticMemories) };
    const { rows, ...page } = await pageOf(read, semanticMemories, selection, input);
    const semantic = await this.#stated(rows);
    const replaced = replacedFacts(
      semantic.map((fact, at) => ({ ...fact, projectKey: rows[at]?.projectKey ?? null })),
    );
    return {
      semantic: semantic.map((fact) => {
        const replacedBy = replaced.get(fact.id);
        return replacedBy === undefined ? fact : { ...fact, replacedBy };
      }),
      ...page,
    };
  }

  /** The newest facts of one project and its agents. */
  async newest(
    { projectKey, filter }: { readonly projectKey: string | null; readonly filter: AgentFilter },
    limit: number,
  ): Promise<SemanticMemory[]> {
    const rows = await this.#ground.store.read.orm
      .select()
      .from(semanticMemories)
      .where(
        and(
          projectKey === null
            ? isNull(semanticMemories.projectKey)
            : eq(semanticMemories.projectKey, projectKey),
          agentCondition(filter, semanticMemories.agentId),
        ),
      )
      .orderBy(...lastChangedFirst(semanticMemories))
      .limit(limit);
    return this.#stated(rows);
  }

  /** The rows as answers show them, with the time when they were last stated. */
  async #stated(rows: readonly FactRow[]): Promise<SemanticMemory[]> {
    const beginnings = await this.#services.sessions.beginnings(
      rows.flatMap(({ sourceSessionIds }) => sourceSessionIds),
    );
    return rows.map((row) => {
      const stated = row.sourceSessionIds.flatMap((id) => beginnings.get(id) ?? []);
      const record = this.#record(row);
      return stated.length === 0 ? record : { ...record, lastStatedAt: timeText(Math.max(...stated)) };
    });
  }

  /** How many facts in the view have become weaker than the threshold. */
  async countDecayed(tx: Transaction, view: View, threshold: number): Promise<number> {
    return countDecayed(tx, semanticMemories, view, {
      threshold,
      now: this.#ground.now(),
      periodDays: this.#ground.settings.consolidationDecayDays,
    });
  }

  #record(row: FactRow): SemanticMemory {
    return factRecord(row, this.#ground.now(), this.#ground.settings.consolidationDecayDays);
  }
}

function asStored(fact: string): string {
  return cutCodePoints(redactText(fact.trim()), longestFact);
}

function isOfMore(known: FactRow, given: NewFact): boolean {
  return addsNew([
    [known.sourceSessionIds, given.sourceSessionIds],
    [known.sourceMemoryIds, given.sourceMemoryIds],
  ]);
}
