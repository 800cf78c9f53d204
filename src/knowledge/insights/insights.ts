import { and, desc, eq, gte, inArray, type SQL, sql as text } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import { type AgentScopes, agentScope } from "../../capture/sessions/agent-scope.ts";
import {
  fullView,
  requestedView,
  type View,
  type ViewRequest,
  viewCondition,
} from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { wordsInTime } from "../../index/left-out.ts";
import type { SearchStreams } from "../../index/search-streams.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { confidenceExpression, decayedCondition } from "../conclusions/confidence-sql.ts";
import { type ConclusionSearch, rankByConfidence } from "../conclusions/rank-by-confidence.ts";
import { newConclusion, reinforced } from "../conclusions/row.ts";
import { type Addition, addStatement, type GivenStatement } from "../statements/add-statement.ts";
import { addsNew, mergeSources, mergeUnique } from "../statements/merge-unique.ts";
import { statementKey } from "../statements/statement-key.ts";
import { insightDocument } from "./document.ts";
import { type Insight, type InsightRow, insightRecord } from "./record.ts";
import { insightRows } from "./rows.ts";
import { insights } from "./tables.ts";

const longestTitle = 300;

export interface NewInsight extends GivenStatement {
  readonly title: string;
  readonly content: string;
  readonly confidence: number;
  readonly sourceConceptCluster: readonly string[];
  readonly sourceMemoryIds?: readonly string[];
  readonly sourceLessonIds?: readonly string[];
  readonly sourceCrystalIds?: readonly string[];
  readonly tags?: readonly string[];
  /** A model provider, or `extractive`. */
  readonly provider: string;
}

interface ListInput extends ViewRequest, Paging {
  readonly minConfidence?: number | undefined;
}

interface InsightServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly streams: Pick<SearchStreams, "keyword">;
}

/**
 * Insights: what facts, lessons and memories show together. Their confidence decays unless they are drawn
 * again.
 */
export class Insights {
  readonly #ground: Ground;
  readonly #services: InsightServices;

  constructor(ground: Ground, services: InsightServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Saves an insight inside the caller's transaction. An insight with the same words, project and agent is
   * reinforced instead.
   */
  save(tx: Transaction, given: NewInsight): Promise<Addition<InsightRow>> {
    const now = this.#ground.now();
    const content = redactText(given.content);
    const contentKey = statementKey(content);
    const sources = (known?: InsightRow) => ({
      sourceConceptCluster: mergeUnique(
        known?.sourceConceptCluster,
        given.sourceConceptCluster.map(redactText),
      ),
      sourceMemoryIds: mergeSources(known?.sourceMemoryIds, given.sourceMemoryIds),
      sourceLessonIds: mergeSources(known?.sourceLessonIds, given.sourceLessonIds),
      sourceCrystalIds: mergeSources(known?.sourceCrystalIds, given.sourceCrystalIds),
      tags: mergeUnique(known?.tags, given.tags?.map(redactText)),
    });
    return addStatement(tx, this.#services.projects, insightRows, {
      given,
      isSame: { text: "content_key = ? AND deleted = 0", args: [contentKey] },
      hasNews: (known) => isOfMore(known, given),
      reinforced: (known) => ({ ...known, ...sources(known), ...reinforced(known, now, this.#decays) }),
      created: (owner) => ({
        id: this.#ground.newId("insight"),
        title: cutCodePoints(redactText(given.title), longestTitle),
        content,
        contentKey,
        confidence: given.confidence,
        ...newConclusion(now),
        ...sources(),
        ...owner,
        provider: given.provider,
      }),
      document: insightDocument,
    });
  }

  /** Highest confidence first. */
  async list(input: ListInput): Promise<{ insights: Insight[] } & Paged> {
    const { read } = this.#ground.store;
    const confidence = this.#confidence();
    const where = and(
      eq(insights.deleted, false),
      viewCondition(await requestedView(read.sql, this.#services, input), insights),
      input.minConfidence === undefined ? undefined : gte(confidence, input.minConfidence),
    );
    const { rows, ...page } = await pageOf(
      read,
      insights,
      { where, order: [desc(confidence), ...newestFirst(insights)] },
      input,
    );
    return { insights: rows.map((row) => this.#record(row)), ...page };
  }

  /** Best match first, each with its score. Error: unavailable when the words cannot be searched in time. */
  async search(input: ConclusionSearch): Promise<(Insight & { score: number })[]> {
    const { filter, keys } = await requestedView(this.#ground.store.read.sql, this.#services, input);
    const { query, minConfidence, limit } = input;
    const now = this.#ground.now();
    const scope = { now, ...(keys === undefined ? {} : { projectKeys: keys }), ...agentScope(filter) };
    const asked = { kind: "insight", query, scope, minConfidence, limit, decays: this.#decays } as const;
    const found = rankByConfidence(this.#services.streams, asked, (ids) => this.#byIds(ids));
    const hits = await wordsInTime(found, this.#ground);
    return hits.slice(0, limit).map(({ row, score }) => ({ ...this.#record(row), score }));
  }

  /** Hides the insights in the view that decayed and were never drawn again; returns their ids. */
  async dropDecayed(tx: Transaction, view: View = fullView): Promise<string[]> {
    if (!this.#decays) return [];
    const now = this.#ground.now();
    const rows = await tx.orm
      .update(insights)
      .set({ deleted: true, updatedAt: text`${text.raw(changedAtSql(String(now)))}` })
      .where(decayedCondition(insights, view, now))
      .returning({ id: insights.id });
    const ids = rows.map(({ id }) => id);
    await removeDocuments(tx, "insight", ids);
    return ids;
  }

  async #byIds(ids: readonly string[]): Promise<InsightRow[]> {
    if (ids.length === 0) return [];
    return this.#ground.store.read.orm
      .select()
      .from(insights)
      .where(and(inArray(insights.id, [...ids]), eq(insights.deleted, false)));
  }

  get #decays(): boolean {
    return this.#ground.settings.insightDecayEnabled;
  }

  #confidence(): SQL<number> {
    return confidenceExpression(insights, this.#ground.now(), this.#decays);
  }

  #record(row: InsightRow): Insight {
    return insightRecord(row, this.#ground.now(), this.#decays);
  }
}

function isOfMore(known: InsightRow, given: NewInsight): boolean {
  return addsNew([
    [known.sourceMemoryIds, given.sourceMemoryIds],
    [known.sourceLessonIds, given.sourceLessonIds],
    [known.sourceCrystalIds, given.sourceCrystalIds],
  ]);
}
