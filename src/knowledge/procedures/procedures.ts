import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { requestedView, type View, type ViewRequest, viewCondition } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { changedAt } from "../../store/changed-at.ts";
import { lastChangedFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { accessStrengthAt } from "../decay/access-strength.ts";
import { countDecayed } from "../decay/count-decayed.ts";
import { type Addition, addStatement, type GivenStatement } from "../statements/add-statement.ts";
import { addsNew, mergeSources, mergeUnique } from "../statements/merge-unique.ts";
import { type ProceduralMemory, type ProcedureRow, procedureRecord } from "./record.ts";
import { procedureRows } from "./rows.ts";
import { proceduralMemories } from "./tables.ts";

const longestName = 200;
const newStrength = 0.5;
const reinforcement = 0.1;

export interface NewProcedure extends GivenStatement {
  readonly name: string;
  readonly steps: readonly string[];
  readonly triggerCondition: string;
  readonly expectedOutcome?: string | undefined;
  readonly sourceSessionIds?: readonly string[];
  readonly sourceObservationIds?: readonly string[];
  readonly tags?: readonly string[];
  readonly concepts?: readonly string[];
  /** A model provider, or `extractive`. */
  readonly provider: string;
}

interface ProcedureServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

/** Procedures: how things are done, as seen in several sessions. */
export class Procedures {
  readonly #ground: Ground;
  readonly #services: ProcedureServices;

  constructor(ground: Ground, services: ProcedureServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Adds a procedure inside the caller's transaction. One with the same name, project and agent is reinforced
   * instead, and gets the given steps: what is done under that name may have changed.
   */
  add(tx: Transaction, given: NewProcedure): Promise<Addition<ProcedureRow>> {
    const name = cutCodePoints(redactText(given.name.trim()), longestName);
    const now = this.#ground.now();
    const sources = (known?: ProcedureRow) => ({
      sourceSessionIds: mergeSources(known?.sourceSessionIds, given.sourceSessionIds),
      sourceObservationIds: mergeSources(known?.sourceObservationIds, given.sourceObservationIds),
      tags: mergeUnique(known?.tags, given.tags?.map(redactText)),
      concepts: mergeUnique(known?.concepts, given.concepts?.map(redactText)),
    });
    const course = {
      steps: given.steps.map(redactText),
      triggerCondition: redactText(given.triggerCondition),
      provider: given.provider,
    };
    const expectedOutcome = given.expectedOutcome === undefined ? null : redactText(given.expectedOutcome);
    return addStatement(tx, this.#services.projects, procedureRows, {
      given,
      isSame: { text: "name = ?", args: [name] },
      hasNews: (known) => addsNew([[known.sourceSessionIds, given.sourceSessionIds]]),
      reinforced: (known) => ({
        ...known,
        ...sources(known),
        ...course,
        expectedOutcome: expectedOutcome ?? known.expectedOutcome,
        frequency: known.frequency + 1,
        strength: Math.min(1, accessStrengthAt(known, now, this.#periodDays) + reinforcement),
        lastAccessedAt: now,
        updatedAt: changedAt(now, known.updatedAt),
      }),
      created: (owner) => ({
        id: this.#ground.newId("procedural"),
        name,
        ...course,
        expectedOutcome,
        frequency: 1,
        strength: newStrength,
        lastAccessedAt: now,
        ...owner,
        ...sources(),
        createdAt: now,
        updatedAt: now,
      }),
    });
  }

  /** Last changed first. */
  async list(input: ViewRequest & Paging): Promise<{ procedural: ProceduralMemory[] } & Paged> {
    const { read } = this.#ground.store;
    const where = viewCondition(await requestedView(read.sql, this.#services, input), proceduralMemories);
    const selection = { where, order: lastChangedFirst(proceduralMemories) };
    const { rows, ...page } = await pageOf(read, proceduralMemories, selection, input);
    return { procedural: rows.map((row) => this.#record(row)), ...page };
  }

  /** How many procedures in the view have become weaker than the threshold. */
  async countDecayed(tx: Transaction, view: View, threshold: number): Promise<number> {
    const now = this.#ground.now();
    return countDecayed(tx, proceduralMemories, view, { threshold, now, periodDays: this.#periodDays });
  }

  get #periodDays(): number {
    return this.#ground.settings.consolidationDecayDays;
  }

  #record(row: ProcedureRow): ProceduralMemory {
    return procedureRecord(row, this.#ground.now(), this.#periodDays);
  }
}
