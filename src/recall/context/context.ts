import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentFilter, AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Session } from "../../capture/sessions/record.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import type { Profiles } from "../../knowledge/profiles/profiles.ts";
import type { Slots } from "../../knowledge/slots/slots.ts";
import type { ContextBlock } from "./answers.ts";
import type { BlockSection } from "./block.ts";
import { writeDeduplicatedBlock } from "./deduplicated-block.ts";
import { type ContextRequest, plannedSections, type Section, type SectionKind } from "./section.ts";
import { lessonsSection } from "./sections/lessons.ts";
import { memoriesSection } from "./sections/memories.ts";
import { ownSessionSection } from "./sections/own-session.ts";
import { pinnedNotesSection } from "./sections/pinned-notes.ts";
import { profileSection } from "./sections/profile.ts";
import { recentSessionsSection } from "./sections/recent-sessions.ts";
import { type SizeLimits, writtenWithin } from "./size-limits.ts";
import { untilDeadline } from "./until-deadline.ts";

const deadlineMs = 1_000;
const sessionStartDeadlineMs = 400;

interface ContextInput extends ScopeRequest, SizeLimits {
  readonly sessionId: string;
  readonly project: string;
  /** Tokens; MEMSVC_TOKEN_BUDGET unless given. */
  readonly budget?: number | undefined;
  readonly cwd?: string | undefined;
  /** Adds a section on what the session itself did so far. */
  readonly includeOwn?: boolean | undefined;
}

interface ContextOptions {
  readonly deadlineMs: number;
  /** Whether the memories in the block count as recalled. */
  readonly countsAsRecall: boolean;
}

interface ContextServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly memories: Memories;
  readonly lessons: Lessons;
  readonly slots: Slots;
  readonly profiles: Profiles;
}

/** The most important sections are read first, in case of a deadline. The profile is slow when none is stored. */
const readingOrder: readonly SectionKind[] = ["own", "memories", "pinned", "lessons", "sessions", "profile"];

const nothing: ContextBlock = { context: "", tokenCount: 0, tokens: 0, blocks: 0, truncated: false };

/** The block of recalled text that a session begins with, cut to a token budget and a deadline. */
export class ContextBlocks {
  readonly #ground: Ground;
  readonly #services: ContextServices;
  /** A kind of section that is missing here is left out, and its share passes to the next. */
  readonly #sections: Readonly<Partial<Record<SectionKind, Section>>>;

  constructor(ground: Ground, services: ContextServices) {
    this.#ground = ground;
    this.#services = services;
    this.#sections = {
      own: ownSessionSection(ground),
      ...(ground.settings.slots ? { pinned: pinnedNotesSection(services.slots) } : {}),
      profile: profileSection(ground, services.profiles),
      memories: memoriesSection(ground, services.memories),
      lessons: lessonsSection(services.lessons),
      sessions: recentSessionsSection(ground),
    };
  }

  /** The block for a session. Error: invalid_input when agents are isolated and none is named. */
  async build(input: ContextInput, countsAsRecall: boolean): Promise<ContextBlock> {
    const filter = await this.#services.agents.reader(this.#ground.store.read.sql, input);
    return this.#build(input, filter, { deadlineMs, countsAsRecall });
  }

  /** The block that opening a session answers with; empty when agents are isolated and none is named. */
  async atSessionStart(
    session: Session,
    request: ScopeRequest & SizeLimits & Pick<ContextInput, "includeOwn">,
  ): Promise<ContextBlock> {
    const { agents } = this.#services;
    const scope = { ...request, sessionId: session.id };
    // The agent named here is the owner of the session; it only filters rows when agents are isolated.
    const filter = agents.isolated
      ? await agents.readerIfNamed(this.#ground.store.read.sql, scope)
      : agents.sourcesOf(undefined);
    if (filter === undefined) return nothing;
    const input = { ...scope, project: session.project, cwd: session.cwd };
    return this.#build(input, filter, { deadlineMs: sessionStartDeadlineMs, countsAsRecall: true });
  }

  async #build(input: ContextInput, filter: AgentFilter, options: ContextOptions): Promise<ContextBlock> {
    const request = await this.#request(input, filter);
    const { sections, complete } = await this.#read(request, options.deadlineMs);
    const budgetTokens = input.budget ?? this.#ground.settings.tokenBudget;
    const write = (tokens: number) => writeDeduplicatedBlock(input.project, sections, tokens);
    const block = writtenWithin(input, write, budgetTokens);
    if (options.countsAsRecall) this.#noteRecall(block.memoryIds);
    const { context, tokens, blocks, truncated } = block;
    return { context, tokenCount: tokens, tokens, blocks, truncated: truncated || !complete };
  }

  async #request(input: ContextInput, filter: AgentFilter): Promise<ContextRequest> {
    const { read } = this.#ground.store;
    const session = await this.#services.sessions.find(read, input.sessionId);
    const cwd = input.cwd ?? session?.cwd;
    const keys = await this.#services.projects.readKeys(read.sql, input.project, cwd);
    const { project, sessionId, includeOwn = false } = input;
    const view = { keys, filter };
    return { project, view, sessionId, includeOwn, session, cwd, now: this.#ground.now() };
  }

  async #read(
    request: ContextRequest,
    timeMs: number,
  ): Promise<{ sections: BlockSection[]; complete: boolean }> {
    const plan = plannedSections(request);
    const offered = readingOrder.flatMap((kind) => {
      const section = plan.some((one) => one.kind === kind) ? this.#sections[kind] : undefined;
      return section === undefined ? [] : [async () => [kind, await section(request)] as const];
    });
    const answers = await untilDeadline(offered, timeMs, this.#ground);
    const items = new Map(answers);
    const sections = plan.map(({ kind, title, share }) => ({
      title,
      share,
      takesRest: kind === "memories",
      items: items.get(kind) ?? [],
    }));
    return { sections, complete: items.size === offered.length };
  }

  /** Counts memories as recalled, after the answer; a failure is only logged. */
  #noteRecall(memoryIds: readonly string[]): void {
    const { store, log } = this.#ground;
    if (memoryIds.length === 0 || store.isReadOnly) return;
    const noted = store.write((tx) => this.#services.memories.recalled(tx, memoryIds), { dispensable: true });
    noted.catch((error: unknown) => log("warn", "recall was not recorded", { error: String(error) }));
  }
}
