import type { z } from "zod";
import type { findByCommit, linkCommit, listCommits } from "../../capture/commits/operations.ts";
import type { CommitLink } from "../../capture/commits/record.ts";
import type { Terminal } from "../terminal.ts";
import { counted, moreAfter } from "./quantity.ts";
import { renderSessions } from "./sessions.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderCommit({ commit }: z.output<typeof linkCommit.output>, terminal: Terminal): string {
  return commitLine(commit, terminal);
}

export function renderCommits(
  { commits, ...page }: z.output<typeof listCommits.output>,
  terminal: Terminal,
): string {
  if (commits.length === 0) return "no linked commits found";
  const lines = commits.map((commit) => commitLine(commit, terminal));
  return [...lines, ...moreAfter(page, commits, terminal.paint)].join("\n");
}

export function renderCommitSessions(
  { commit, sessions }: z.output<typeof findByCommit.output>,
  terminal: Terminal,
): string {
  const found = { sessions, total: sessions.length, offset: 0, limit: sessions.length };
  return [commitLine(commit, terminal), renderSessions(found, terminal)].join("\n");
}

function commitLine(commit: CommitLink, { paint, isForPeople, columns }: Terminal): string {
  const facts = [
    ...(commit.branch === "" ? [] : [commit.branch]),
    counted(commit.sessionIds.length, "session"),
    shownTime(commit.authoredAt ?? commit.linkedAt, isForPeople),
  ].join(", ");
  const about = oneLine(commit.message.split("\n", 1)[0] ?? "", Math.max(20, columns - 50));
  return `${isForPeople ? commit.shortSha : commit.sha}  ${paint.dim(facts)}  ${about}`.trimEnd();
}
