import { and, eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { listContains } from "../../store/list-contains.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { redactTags, redactText, redactValue } from "../../text/redaction/redact.ts";
import { type Action, actionRecord } from "../actions/record.ts";
import type { Clockwork } from "../clockwork.ts";
import {
  type ActionTemplate,
  type Routine,
  type RoutineRow,
  type RoutineStep,
  routineRecord,
} from "./record.ts";
import { type RunRequest, startRun } from "./run.ts";
import { progressOf, type RoutineRun, runRecord } from "./run-record.ts";
import { runWithActions } from "./run-with-actions.ts";
import { routines } from "./tables.ts";

interface SaveInput {
  readonly name: string;
  readonly steps: readonly (Omit<RoutineStep, "actionTemplate"> & {
    readonly actionTemplate: ActionTemplate;
  })[];
  readonly description: string;
  readonly tags: readonly string[];
  readonly frozen: boolean;
  readonly sourceProceduralIds: readonly string[];
  readonly routineId?: string | undefined;
}

interface RunInput extends RunRequest {
  readonly routineId: string;
}

interface ListInput extends Paging {
  readonly frozen?: boolean | undefined;
  readonly tag?: string | undefined;
}

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
  readonly projects: Projects;
}

/** Routines: recurring work as a list of steps; each run creates an action for every step. */
export class Routines {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Saves a routine; with an id it replaces the one that has it. Errors: not_found; conflict when that one is
   * frozen.
   */
  async save(
    { routineId, ...given }: SaveInput,
    by: AskedBy,
  ): Promise<{ routine: Routine; created: boolean }> {
    return this.#ground.store.write(async (tx) => {
      const before = routineId === undefined ? undefined : await routineById(tx, routineId);
      if (before?.frozen === true) throw frozenRoutine(before);
      const now = this.#ground.now();
      const row: RoutineRow = {
        id: before?.id ?? this.#ground.newId("routine"),
        name: redactText(given.name),
        description: redactText(given.description),
        // The cast holds: redaction keeps the shape of a value, and JSON drops undefined fields.
        steps: JSON.parse(JSON.stringify(redactValue(given.steps))) as RoutineStep[],
        frozen: given.frozen,
        tags: redactTags(given.tags),
        sourceProceduralIds: [...given.sourceProceduralIds],
        createdAt: before?.createdAt ?? now,
        updatedAt: now,
      };
      await tx.orm.insert(routines).values(row).onConflictDoUpdate({ target: routines.id, set: row });
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "routine_save",
        functionId: "routine.save",
        targetIds: [row.id],
        details: { steps: row.steps.length },
      });
      return { routine: routineRecord(row), created: before === undefined };
    });
  }

  /** Newest first. */
  async list({ frozen, tag, ...paging }: ListInput): Promise<{ routines: Routine[] } & Paged> {
    const { read } = this.#ground.store;
    const where = and(
      frozen === true ? eq(routines.frozen, true) : undefined,
      tag === undefined ? undefined : listContains(routines.tags, tag),
    );
    const { rows, ...page } = await pageOf(read, routines, { where, order: newestFirst(routines) }, paging);
    return { routines: rows.map(routineRecord), ...page };
  }

  /**
   * Starts a run: creates an action for every step. Errors: not_found; invalid_input for an override of a
   * step that does not exist.
   */
  async run(input: RunInput, by: AskedBy): Promise<{ run: RoutineRun; actions: Action[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const routine = await routineById(tx, input.routineId);
      const { run, actions } = await startRun(tx, this.#ground, this.#services.projects, routine, input);
      const actionIds = actions.map(({ id }) => id);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "routine_run",
        functionId: "routine.run",
        targetIds: [run.id, routine.id, ...actionIds],
        details: { actions: actionIds.length },
      });
      return { run: runRecord(run, actions), actions: actions.map(actionRecord) };
    });
  }

  /** The present state of a run. Error: not_found. */
  async status({ runId }: { readonly runId: string }): Promise<{
    run: RoutineRun;
    actions: Action[];
    progress: ReturnType<typeof progressOf>;
  }> {
    await this.#services.clockwork.beforeRead();
    const { run, actions } = await runWithActions(this.#ground.store.read, runId);
    return {
      run: runRecord(run, actions),
      actions: actions.map(actionRecord),
      progress: progressOf(actions),
    };
  }
}

async function routineById({ orm }: Transaction, id: string): Promise<RoutineRow> {
  const [row] = await orm.select().from(routines).where(eq(routines.id, id));
  if (row !== undefined) return row;
  throw new MemsvcError("not_found", `routine ${id} is not known`, {
    hint: "list the routines: memsvc routine list",
  });
}

function frozenRoutine({ id, name }: RoutineRow): MemsvcError {
  return new MemsvcError("conflict", `routine ${id} (${name}) is frozen and cannot be replaced`, {
    hint: "save it as another one, without routineId",
  });
}
