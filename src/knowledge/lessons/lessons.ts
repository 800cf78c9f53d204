import { and, desc, eq, gte, inArray, type SQL } from "drizzle-orm";
import { projectWarning } from "../../capture/projects/project-warning.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { type AgentScopes, isVisible, type ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import {
  fullView,
  requestedView,
  type View,
  type ViewRequest,
  viewOrNoProjectCondition,
} from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Connection, DryRun, Transaction } from "../../store/store.ts";
import { confidenceExpression, decayedCondition } from "../conclusions/confidence-sql.ts";
import { deleteInsightsFrom } from "../insights/delete-insights.ts";
import { type Lesson, type LessonRow, type LessonSource, lessonRecord } from "./record.ts";
import { hideLessons, type NewLesson, reinforceLesson, saveLesson } from "./save-lesson.ts";
import { lessons } from "./tables.ts";

interface SavedLesson {
  readonly action: "created" | "strengthened";
  readonly lesson: Lesson;
  readonly warning?: string;
}

interface ListInput extends ViewRequest, Paging {
  readonly source?: LessonSource | undefined;
  readonly minConfidence?: number | undefined;
}

interface LessonServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
}

/**
 * Lessons: what was learned from work that went well or badly. Confidence in a lesson grows when it is
 * confirmed, else decays.
 */
export class Lessons {
  readonly #ground: Ground;
  readonly #services: LessonServices;

  constructor(ground: Ground, services: LessonServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Saves a lesson by request, in a transaction of its own with an audit entry. */
  async add(input: Omit<NewLesson, "source" | "agentId"> & ScopeRequest): Promise<SavedLesson> {
    return this.#ground.store.write(async (tx) => {
      const agentId = await this.#services.agents.writer(tx.sql, input);
      const saved = await this.save(tx, { ...input, agentId, source: "manual" });
      await this.#note(tx, "save", saved.lesson, input, { action: saved.action });
      return { ...saved, ...(await projectWarning(tx.sql, this.#services, input.project)) };
    });
  }

  /**
   * Saves a lesson inside the caller's transaction, which writes the audit entry. A lesson with the same
   * words, project and agent is reinforced instead.
   */
  async save(tx: Transaction, lesson: NewLesson): Promise<SavedLesson> {
    const { action, row } = await saveLesson(tx, this.#ground, this.#services.projects, lesson);
    return { action: action === "created" ? action : "strengthened", lesson: this.#record(row) };
  }

  /** Confirms a lesson. Error: not_found. */
  async strengthen(input: ScopeRequest & { readonly lessonId: string }): Promise<Lesson> {
    return this.#ground.store.write(async (tx) => {
      const row = await reinforceLesson(tx, this.#ground, await this.#visible(tx, input));
      const lesson = this.#record(row);
      await this.#note(tx, "strengthen", lesson, input);
      return lesson;
    });
  }

  /** Hides a lesson everywhere but in exports, and deletes the insights drawn from it. Error: not_found. */
  async delete(input: ScopeRequest & DryRun & { readonly lessonId: string }): Promise<Lesson> {
    const work = async (tx: Transaction) => {
      const before = await this.#visible(tx, input);
      await hideLessons(tx, [before.id], this.#ground.now());
      await deleteInsightsFrom(tx, [before.id]);
      const lesson = this.#record({ ...before, deleted: true, updatedAt: this.#ground.now() });
      await this.#note(tx, "delete", lesson, input);
      return lesson;
    };
    return this.#ground.store.write(work, { dryRun: input.dryRun });
  }

  /** Highest confidence first; a project filter also matches lessons without a project. */
  async list(input: ListInput): Promise<{ lessons: Lesson[] } & Paged> {
    const { read } = this.#ground.store;
    const confidence = this.#confidence();
    const where = and(
      standing(await requestedView(read.sql, this.#services, input)),
      input.source === undefined ? undefined : eq(lessons.source, input.source),
      input.minConfidence === undefined ? undefined : gte(confidence, input.minConfidence),
    );
    const { rows, ...page } = await pageOf(
      read,
      lessons,
      { where, order: [desc(confidence), ...newestFirst(lessons)] },
      input,
    );
    return { lessons: rows.map((row) => this.#record(row)), ...page };
  }

  /**
   * The lessons with the highest confidence, of the view's projects or of none. Lessons with equal words of
   * several agents or projects are returned once.
   */
  async surest(view: View, limit: number, minConfidence: number): Promise<Lesson[]> {
    const confidence = this.#confidence();
    const said = new Map<string, LessonRow>();
    // The first rows mostly have different words already; reading them takes half the time of grouping all.
    for (let passed = 0, size = limit; ; passed += size, size *= 4) {
      const rows = await this.#ground.store.read.orm
        .select()
        .from(lessons)
        .where(and(standing(view), gte(confidence, minConfidence)))
        .orderBy(desc(confidence), ...newestFirst(lessons))
        .limit(size)
        .offset(passed);
      for (const row of rows) if (!said.has(row.contentKey)) said.set(row.contentKey, row);
      if (said.size >= limit || rows.length < size) break;
    }
    return [...said.values()].slice(0, limit).map((row) => this.#record(row));
  }

  /** Lessons by id, without deleted ones. The caller has to check who may see them. */
  async byIds(ids: readonly string[]): Promise<LessonRow[]> {
    if (ids.length === 0) return [];
    return this.#ground.store.read.orm
      .select()
      .from(lessons)
      .where(and(inArray(lessons.id, [...ids]), eq(lessons.deleted, false)));
  }

  /** Hides the lessons in the view that decayed and were never confirmed; returns their ids. */
  async dropDecayed(tx: Transaction, view: View = fullView): Promise<string[]> {
    if (!this.#decays) return [];
    const rows = await tx.orm
      .select({ id: lessons.id })
      .from(lessons)
      .where(decayedCondition(lessons, view, this.#ground.now()));
    const ids = rows.map(({ id }) => id);
    await hideLessons(tx, ids, this.#ground.now());
    return ids;
  }

  get #decays(): boolean {
    return this.#ground.settings.lessonDecayEnabled;
  }

  #confidence(): SQL<number> {
    return confidenceExpression(lessons, this.#ground.now(), this.#decays);
  }

  #record(row: LessonRow): Lesson {
    return lessonRecord(row, this.#ground.now(), this.#decays);
  }

  async #visible(
    connection: Connection,
    input: ScopeRequest & { readonly lessonId: string },
  ): Promise<LessonRow> {
    const filter = await this.#services.agents.reader(connection.sql, input);
    const [row] = await connection.orm.select().from(lessons).where(eq(lessons.id, input.lessonId));
    if (row === undefined || row.deleted || !isVisible(filter, row.agentId)) {
      throw new MemsvcError("not_found", `lesson ${input.lessonId} is not known`, {
        hint: "search for it: memsvc lesson search <query>",
      });
    }
    return row;
  }

  async #note(
    tx: Transaction,
    deed: "save" | "strengthen" | "delete",
    lesson: Lesson,
    request: ScopeRequest,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.#services.audit.record(tx, {
      operation: `lesson_${deed}`,
      functionId: `lesson.${deed}`,
      targetIds: [lesson.id],
      details,
      agentId: await this.#services.agents.writer(tx.sql, request),
    });
  }
}

/** SQL condition for lessons that are not deleted and that the view shows, also those without a project. */
function standing(view: View): SQL | undefined {
  return and(eq(lessons.deleted, false), viewOrNoProjectCondition(view, lessons));
}
