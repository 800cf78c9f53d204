import type { findByCommit, linkCommit, listCommits } from "../../capture/commits/operations.ts";
import type { CommitLink } from "../../capture/commits/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { renderSessions } from "./sessions.ts";
import { shownTime } from "./time.ts";

export function renderCommit({ commit }: OutputOf<typeof linkCommit>, terminal: Terminal): string {
  return commitLine(commit, terminal);
}

export function renderCommits(
  { commits, ...page }: OutputOf<typeof listCommits>,
  terminal: Terminal,
): string {
  return pageLines(page, commits, terminal, "no linked commits found", (commit) => row(commit, terminal));
}

export function renderCommitSessions(
  { commit, sessions }: OutputOf<typeof findByCommit>,
  terminal: Terminal,
): string {
  const found = { sessions, total: sessions.length, offset: 0, limit: sessions.length };
  return [commitLine(commit, terminal), renderSessions(found, terminal)].join("\n");
}

function commitLine(commit: CommitLink, terminal: Terminal): string {
  return inColumns([row(commit, terminal)], terminal).join("\n");
}

function row(commit: CommitLink, { paint, isForPeople }: Terminal): Field[] {
  const facts = [
    ...(commit.branch === "" ? [] : [commit.branch]),
    counted(commit.sessionIds.length, "session"),
    commit.authoredAt === undefined
      ? `linked ${shownTime(commit.linkedAt, isForPeople)}`
      : shownTime(commit.authoredAt, isForPeople),
  ].join(", ");
  const whole = commit.message.split("\n", 1)[0] ?? "";
  return [isForPeople ? commit.shortSha : commit.sha, paint.dim(facts), { whole }];
}
