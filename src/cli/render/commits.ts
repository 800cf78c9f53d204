import type { findByCommit, linkCommit, listCommits } from "../../capture/commits/operations.ts";
import type { CommitLink } from "../../capture/commits/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { counted, moreAfter } from "./quantity.ts";
import { renderSessions } from "./sessions.ts";
import { shownTime } from "./time.ts";

export function renderCommit({ commit }: OutputOf<typeof linkCommit>, terminal: Terminal): string {
  return commitLines([commit], terminal).join("\n");
}

export function renderCommits(
  { commits, ...page }: OutputOf<typeof listCommits>,
  terminal: Terminal,
): string {
  if (commits.length === 0) return "no linked commits found";
  return [...commitLines(commits, terminal), ...moreAfter(page, commits, terminal.paint)].join("\n");
}

export function renderCommitSessions(
  { commit, sessions }: OutputOf<typeof findByCommit>,
  terminal: Terminal,
): string {
  const found = { sessions, total: sessions.length, offset: 0, limit: sessions.length };
  return [...commitLines([commit], terminal), renderSessions(found, terminal)].join("\n");
}

function commitLines(commits: readonly CommitLink[], terminal: Terminal): string[] {
  return inColumns(
    commits.map((commit) => row(commit, terminal)),
    terminal,
  );
}

function row(commit: CommitLink, { paint, isForPeople }: Terminal): Field[] {
  const facts = [
    ...(commit.branch === "" ? [] : [commit.branch]),
    counted(commit.sessionIds.length, "session"),
    shownTime(commit.authoredAt ?? commit.linkedAt, isForPeople),
  ].join(", ");
  const whole = commit.message.split("\n", 1)[0] ?? "";
  return [isForPeople ? commit.shortSha : commit.sha, paint.dim(facts), { whole }];
}
