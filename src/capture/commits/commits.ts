import { and, desc, eq, inArray, type SQL } from "drizzle-orm";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { recordOf } from "../../operation/record-of.ts";
import { type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import type { AgentScopes, ScopeRequest } from "../sessions/agent-scope.ts";
import { noteCommit } from "../sessions/commit-shas.ts";
import { existingSessions } from "../sessions/history.ts";
import type { Session } from "../sessions/record.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { lengthenSha, linkSessions, sessionsLinkedTo } from "./links.ts";
import { type CommitLink, type CommitRow, commitRecord, mostFiles } from "./record.ts";
import { likeShas, sameCommit, storedBeginningWith } from "./sha.ts";
import { commitSessions, commits } from "./tables.ts";

const leastDigitsAsked = 4;
const mostCandidates = 100;

interface LinkInput extends ScopeRequest {
  readonly sha: string;
  readonly branch?: string | undefined;
  readonly repo?: string | undefined;
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  readonly authoredAt?: number | undefined;
  readonly files?: readonly string[] | undefined;
}

/** A commit that was linked before; `wasShorter`: under a shorter form of its sha. */
type Known = CommitRow & { readonly wasShorter: boolean };

interface ListInput extends Paging {
  readonly branch?: string | undefined;
  readonly repo?: string | undefined;
  readonly sessionId?: string | undefined;
}

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** Links between commits and the sessions that made them. */
export class Commits {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Links a commit, or completes its link. If the link has all of it already, nothing changes. */
  async link(input: LinkInput): Promise<{ commit: CommitLink }> {
    return this.#ground.store.write(async (tx) => {
      const { row, changed } = await this.#put(tx, await this.#lengthened(tx, input.sha), input, null);
      const { sha } = row;
      if (changed) {
        await this.#services.audit.record(tx, {
          operation: "commit_link",
          functionId: "session.commit",
          targetIds: [sha, ...(input.sessionId === undefined ? [] : [input.sessionId])],
          details: { sha },
          agentId: await this.#services.agents.writer(tx.sql, input),
        });
      }
      const linked = await sessionsLinkedTo(tx.sql, [sha]);
      return { commit: commitRecord(row, linked.get(sha) ?? []) };
    });
  }

  /**
   * Links a commit that a session was seen to make, in the transaction that captures the event; like the
   * event it has no audit entry. Fields that were set before stay.
   */
  async linkMade(tx: Transaction, made: LinkInput, observationId: string): Promise<void> {
    const before = await this.#lengthened(tx, made.sha);
    const branch = before?.branch ?? made.branch;
    const message = before?.message ?? made.message;
    const authoredAt = before?.authoredAt ?? made.authoredAt;
    const capturedFrom = before === undefined ? observationId : before.capturedFrom;
    await this.#put(tx, before, { ...made, branch, message, authoredAt }, capturedFrom);
  }

  /**
   * The commit with this sha, or whose sha begins so, and its sessions. Errors: not_found; conflict when
   * several fit.
   */
  async find(
    input: ScopeRequest & { readonly sha: string },
  ): Promise<{ commit: CommitLink; sessions: Session[] }> {
    const { read } = this.#ground.store;
    const known = await likeShas(read.sql, [input.sha]);
    const sha = sameCommit(known, input.sha) ?? (await this.#byPrefix(input.sha));
    const [row] = await read.orm.select().from(commits).where(eq(commits.sha, sha));
    const ids = (await sessionsLinkedTo(read.sql, [sha])).get(sha) ?? [];
    const { sessions } = await this.#services.sessions.list({
      ...input,
      ids,
      limit: ids.length,
      offset: 0,
    });
    if (row === undefined || sessions.length === 0) {
      const problem =
        ids.length > 0
          ? `commit ${input.sha} is linked, but no session that it is linked to is known here`
          : `no session is linked to commit ${input.sha}`;
      throw new MemsvcError("not_found", problem, {
        hint: "list the linked commits: memsvc session commits",
      });
    }
    return { commit: commitRecord(row, await this.#shown(ids, sessions)), sessions };
  }

  /** The sessions among those of a commit that the request may see, or that are not known yet. */
  async #shown(ids: readonly string[], visible: readonly Session[]): Promise<string[]> {
    const known = await existingSessions(this.#ground.store.read.sql, ids);
    for (const { id } of visible) known.delete(id);
    return ids.filter((id) => !known.has(id));
  }

  async list(input: ListInput): Promise<{ commits: CommitLink[] } & Paged> {
    const { read } = this.#ground.store;
    const where = and(
      input.branch === undefined ? undefined : eq(commits.branch, input.branch),
      input.repo === undefined ? undefined : eq(commits.repo, input.repo),
      input.sessionId === undefined ? undefined : this.#ofSession(input.sessionId),
    );
    const { rows, ...page } = await pageOf(
      read,
      commits,
      { where, order: [desc(commits.linkedAt), desc(commits.sha)] },
      input,
    );
    const linked = await sessionsLinkedTo(
      read.sql,
      rows.map(({ sha }) => sha),
    );
    return { commits: rows.map((row) => commitRecord(row, linked.get(row.sha) ?? [])), ...page };
  }

  #ofSession(sessionId: string): SQL {
    const { orm } = this.#ground.store.read;
    return inArray(
      commits.sha,
      orm
        .select({ sha: commitSessions.sha })
        .from(commitSessions)
        .where(eq(commitSessions.sessionId, sessionId)),
    );
  }

  async #put(
    tx: Transaction,
    before: Known | undefined,
    input: LinkInput,
    capturedFrom: string | null,
  ): Promise<{ row: CommitRow; changed: boolean }> {
    const { now } = this.#ground;
    const given = { ...givenFields(input, before?.files ?? []), capturedFrom };
    const sha = before?.sha ?? input.sha;
    const isLinked = input.sessionId !== undefined && (await linkSessions(tx.sql, sha, [input.sessionId]));
    const changed = isLinked || before === undefined || before.wasShorter || !holds(before, given);
    const at = changed ? now() : before.updatedAt;
    const [row] = await tx.orm
      .insert(commits)
      .values({ ...given, sha, linkedAt: at, updatedAt: at })
      .onConflictDoUpdate({ target: commits.sha, set: { ...given, updatedAt: at } })
      .returning();
    if (row === undefined) throw new Error("the commit row was not returned");
    if (input.sessionId !== undefined) await noteCommit(tx.sql, input.sessionId, sha, now());
    return { row, changed };
  }

  /**
   * The stored commit of a sha. If it was stored under a shorter form, it is renamed to the longer one
   * everywhere.
   */
  async #lengthened(tx: Transaction, sha: string): Promise<Known | undefined> {
    const same = sameCommit(await likeShas(tx.sql, [sha]), sha);
    if (same === undefined) return undefined;
    const wasShorter = same.length < sha.length;
    if (wasShorter) await lengthenSha(tx.sql, same, sha);
    const [row] = await tx.orm
      .select()
      .from(commits)
      .where(eq(commits.sha, wasShorter ? sha : same));
    return row === undefined ? undefined : { ...row, wasShorter };
  }

  async #byPrefix(digits: string): Promise<string> {
    const candidates =
      digits.length >= leastDigitsAsked
        ? await storedBeginningWith(this.#ground.store.read.sql, digits, mostCandidates)
        : [];
    const [only] = candidates;
    if (candidates.length > 1) {
      throw new MemsvcError("conflict", `several commits begin with ${digits}`, {
        hint: "give more digits",
        extra: { candidates },
      });
    }
    return only ?? digits;
  }
}

type Given = Partial<Pick<CommitRow, "branch" | "message" | "repo" | "author" | "authoredAt">> &
  Pick<CommitRow, "files">;

/** The fields of a request, as they are stored. */
function givenFields(input: LinkInput, filesBefore: readonly string[]): Given {
  const { branch, repo, author, message, authoredAt, files = [] } = input;
  return recordOf({
    branch: branch && redactText(branch),
    repo: repo && redactText(repo),
    author: author && redactText(author),
    message: message && redactText(message),
    authoredAt,
    files: [...new Set([...filesBefore, ...files])].slice(0, mostFiles),
  });
}

function holds(row: CommitRow, { files, ...given }: Given & Pick<CommitRow, "capturedFrom">): boolean {
  const before: Record<string, unknown> = row;
  const isSame = Object.entries(given).every(([field, value]) => before[field] === value);
  return isSame && files.length === row.files.length;
}
