import { and, desc, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Observations } from "../../capture/observations/observations.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { featureOff } from "../../config/feature-flag-table.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { type Paged, type Paging, pageOf, rowsOf } from "../../store/page.ts";
import { redactObject } from "../../text/redaction/redact.ts";
import { type TeamProfile, teamProfileOf } from "./profile.ts";
import { type TeamItemRow, type TeamItemType, type TeamSharedItem, teamItemRecord } from "./record.ts";
import { type ShareInput, shareable } from "./shareable.ts";
import { teamItems } from "./tables.ts";

const newestFirst = [desc(teamItems.sharedAt), desc(teamItems.id)];

interface Services {
  readonly agents: AgentScopes;
  readonly audit: Audit;
  readonly memories: Memories;
  readonly observations: Observations;
  readonly projects: Projects;
}

interface Membership {
  readonly teamId: string;
  readonly userId: string;
}

interface FeedInput extends Paging {
  readonly project?: string | undefined;
  readonly type?: TeamItemType | undefined;
}

/** Shares copies of records with the other members of a team who use the same store. */
export class Team {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Shares a record, or renews the copy that was shared before. Errors: not_found, invalid_input,
   * feature_off.
   */
  async share(
    input: ShareInput & ScopeRequest & { readonly project?: string | undefined },
  ): Promise<{ sharedItem: TeamSharedItem; renewed: boolean }> {
    const { store, now, newId, settings } = this.#ground;
    const { agents, audit, projects } = this.#services;
    const { teamId, userId } = this.#membership();
    return store.write(async (tx) => {
      // Read inside the transaction, so that no copy is made of a record that is deleted meanwhile.
      const filter = await agents.reader(tx.sql, input);
      const found = await shareable(tx, now(), this.#services, input, filter);
      const fields = await projects.fieldsOf(
        tx.sql,
        input.project ?? (await projects.nameOfRow(tx.sql, found)),
      );
      const copy = {
        sharedAt: now(),
        content: redactObject(found.content),
        ...fields,
        visibility: settings.teamMode,
      };
      const identity = { teamId, sharedBy: userId, type: input.itemType, itemId: input.itemId };
      const id = newId("teamItem");
      const [row] = await tx.orm
        .insert(teamItems)
        .values({ id, ...identity, ...copy })
        .onConflictDoUpdate({
          target: [teamItems.teamId, teamItems.sharedBy, teamItems.type, teamItems.itemId],
          set: copy,
        })
        .returning();
      if (row === undefined) throw new Error("the shared row was not returned");
      await audit.record(tx, {
        operation: "share",
        functionId: "team.share",
        targetIds: [row.id, input.itemId],
        details: { type: row.type, teamId, visibility: row.visibility },
        agentId: await agents.writer(tx.sql, input),
      });
      return { sharedItem: teamItemRecord(row), renewed: row.id !== id };
    });
  }

  /** Newest first: what the team shares, and the user's own private copies. */
  async feed(input: FeedInput): Promise<{ items: TeamSharedItem[] } & Paged> {
    const { read } = this.#ground.store;
    const keys = await this.#services.projects.readKeys(read.sql, input.project);
    const where = and(
      this.#visible(),
      keys === undefined ? undefined : inArray(teamItems.projectKey, keys),
      input.type === undefined ? undefined : eq(teamItems.type, input.type),
    );
    const { rows, ...page } = await pageOf(read, teamItems, { where, order: newestFirst }, input);
    return { items: rows.map(teamItemRecord), ...page };
  }

  async profile(): Promise<TeamProfile> {
    const { teamId } = this.#membership();
    return teamProfileOf(teamId, this.#pages(), this.#ground.now());
  }

  /** Newest first. */
  async *#pages(): AsyncGenerator<TeamItemRow[]> {
    const pageSize = 500;
    for (let offset = 0; ; offset += pageSize) {
      const { read } = this.#ground.store;
      const page = { limit: pageSize, offset };
      const rows = await rowsOf(read, teamItems, { where: this.#visible(), order: newestFirst }, page);
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) return;
    }
  }

  #visible(): SQL | undefined {
    const { teamId, userId } = this.#membership();
    return and(
      eq(teamItems.teamId, teamId),
      or(eq(teamItems.visibility, "shared"), eq(teamItems.sharedBy, userId)),
    );
  }

  #membership(): Membership {
    const { teamId, userId } = this.#ground.settings;
    if (teamId === undefined || userId === undefined) throw featureOff("MEMSVC_TEAM_ID");
    return { teamId, userId };
  }
}
