import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import type { Transaction } from "../../store/store.ts";
import type { ProjectProfile } from "./record.ts";

export interface ProfileInput extends ScopeRequest {
  readonly project: string;
  readonly refresh?: boolean | undefined;
  readonly cwd?: string | undefined;
}

export interface ProfileAnswer {
  readonly profile: ProjectProfile;
  readonly cached: boolean;
  readonly reason?: "no_sessions";
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

export class Profiles {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  async get(input: ProfileInput): Promise<ProfileAnswer> {
    throw new Error(`not written: ${input.project} ${this.#ground.home} ${this.#services.agents.isolated}`);
  }

  async drop(tx: Transaction, projectKey: string): Promise<void> {
    await tx.sql.run("DELETE FROM profiles WHERE project_key = ?", [projectKey]);
  }
}
