import { everyone } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { deleteMemories } from "../../knowledge/memories/forgetting/deletion.ts";
import { selectMemories } from "../../knowledge/memories/forgetting/selection.ts";
import type { MemoryType } from "../../knowledge/memories/record.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { withdrawOrphans } from "../../sharing/team/withdrawal.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import type { AskedBy } from "../audit/audit.ts";
import type { BulkDeleted, DeletedMemories, ForgottenProject } from "./answers.ts";
import { because } from "./because.ts";
import { type ForgetProjectInput, type ForgetProjectServices, forgetProject } from "./forget-project.ts";

const maxShown = 10_000;

interface BulkInput extends DryRun {
  readonly type?: readonly MemoryType[] | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
  readonly qualityBelow?: number | undefined;
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reason?: string | undefined;
}

/** Deletes records across agents, for whoever is responsible for the store; always with an audit entry. */
export class Governance {
  readonly #ground: Ground;
  readonly #services: ForgetProjectServices;

  constructor(ground: Ground, services: ForgetProjectServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Deletes memories by id. Error: not_found when none of them exists; the attempt is audited all the same.
   */
  async deleteMemories(
    input: DryRun & { readonly memoryIds: readonly string[]; readonly reason?: string | undefined },
    by: AskedBy,
  ): Promise<DeletedMemories> {
    const asked = [...new Set(input.memoryIds)];
    const work = async (tx: Transaction) => {
      const { gone, derived } = await deleteMemories(tx, asked, this.#ground.now());
      const withdrawn = await withdrawOrphans(tx.sql, everyone, { kind: "memory", ids: asked });
      const details = {
        ...because(input.reason),
        requested: asked.length,
        deleted: gone.length,
        derived: derived.length,
        withdrawn: withdrawn.length,
      };
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "delete",
        functionId: "governance.delete",
        targetIds: [...asked, ...derived],
        details,
        isInVain: gone.length + withdrawn.length === 0,
      });
      return { gone: new Set(gone.map(({ id }) => id)), derived, withdrawn };
    };
    const { gone, derived, withdrawn } = await this.#ground.store.write(work, { dryRun: input.dryRun });
    const notFound = asked.filter((id) => !gone.has(id) && !withdrawn.includes(id));
    const answer = {
      deleted: gone.size,
      total: asked.length,
      notFound,
      ...(derived.length === 0 ? {} : { derived }),
    };
    if (withdrawn.length > 0) return { ...answer, withdrawn };
    if (gone.size > 0) return answer;
    throw new MemsvcError("not_found", `none of the memories is known: ${notFound.slice(0, 3).join(", ")}`, {
      hint: "list what there is: memsvc memory list",
      extra: answer,
    });
  }

  async bulkDelete(input: BulkInput, by: AskedBy): Promise<BulkDeleted> {
    const { store, now } = this.#ground;
    const criteria = await this.#criteria(input);
    if (input.dryRun === true) {
      const ids = await selectMemories(store.read, criteria, now());
      return {
        dryRun: true,
        wouldDelete: ids.length,
        ids: ids.slice(0, maxShown),
        ...(ids.length > maxShown ? { truncated: true } : {}),
      };
    }
    return store.write(async (tx): Promise<BulkDeleted> => {
      const ids = await selectMemories(tx, criteria, now());
      const { gone, derived } = await deleteMemories(tx, ids, now());
      const details = {
        ...because(input.reason),
        filters: filtersOf(input),
        requested: ids.length,
        deleted: gone.length,
        derived: derived.length,
      };
      const targetIds = [...gone.map(({ id }) => id), ...derived];
      const entry = {
        operation: "delete",
        functionId: "governance.bulk-delete",
        targetIds,
        details,
      } as const;
      await this.#services.audit.recordUnscoped(tx, by, entry);
      return {
        dryRun: false,
        deleted: gone.length,
        failed: 0,
        ids,
        ...(derived.length === 0 ? {} : { derived }),
      };
    });
  }

  forgetProject(input: ForgetProjectInput, by: AskedBy): Promise<ForgottenProject> {
    return forgetProject(this.#ground, this.#services, input, by);
  }

  async #criteria(input: BulkInput) {
    const projectKeys = await this.#services.projects.ownKeys(this.#ground.store.read.sql, input.project);
    return {
      types: input.type,
      createdFrom: input.dateFrom,
      createdTo: input.dateTo,
      strengthBelow: input.qualityBelow,
      projectKeys,
      agentId: input.agentId,
    };
  }
}

function filtersOf({ type, dateFrom, dateTo, qualityBelow, project, agentId }: BulkInput) {
  return { type, dateFrom, dateTo, qualityBelow, project, agentId };
}
