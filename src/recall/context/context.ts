import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Session } from "../../capture/sessions/record.ts";
import type { Ground } from "../../ground.ts";

export interface ContextInput extends ScopeRequest {
  readonly sessionId: string;
  readonly project: string;
  /** Tokens. */
  readonly budget?: number | undefined;
  readonly cwd?: string | undefined;
  readonly countsAsRecall?: boolean | undefined;
}

export interface ContextBlock {
  readonly context: string;
  readonly tokenCount: number;
  readonly tokens: number;
  readonly blocks: number;
  readonly truncated: boolean;
}

interface Services {
  readonly agents: AgentScopes;
}

const empty: ContextBlock = { context: "", tokenCount: 0, tokens: 0, blocks: 0, truncated: false };

export class ContextBlocks {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  async build(input: ContextInput, options: { readonly deadlineMs: number } = { deadlineMs: 1_000 }): Promise<ContextBlock> {
    throw new Error(`not written: ${input.project} ${options.deadlineMs} ${this.#ground.home} ${this.#services.agents.isolated}`);
  }

  async atSessionStart(session: Session, request: ScopeRequest): Promise<ContextBlock> {
    return session.project === request.agentId ? empty : empty;
  }
}
