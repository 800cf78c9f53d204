import type { Session } from "../../capture/sessions/record.ts";
import type { Answers } from "../answers.ts";
import { ReadError, type Reader } from "../api.ts";
import { commitRow, commitSessions } from "../parts/commits.ts";
import { filters } from "../parts/filters.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { type Route, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { sessionTitle } from "./sessions.ts";

/** The commits that sessions made: leads from a line in `git blame` to the work behind it. */
export const commits: View = {
  name: "commits",
  label: "Commits",
  show: async (reader, route) => {
    const { answer, sessions } = await commitsFor(reader, route);
    const titles = new Map(sessions.map((session) => [session.id, sessionTitle(session)]));
    return {
      title: "Commits",
      body: [
        filters(route, [
          { name: "sha", label: "Sha, or its beginning" },
          { name: "branch", label: "Branch" },
        ]),
        listOf(
          route,
          answer,
          answer.commits.map((shown) => [commitRow(shown), commitSessions(shown, titles)]),
          {
            unit: ["commit", "commits"],
            order: "last linked first",
            nothing: [
              "No session has made a commit yet. Those that agents make are linked by themselves, others with:",
              "memsvc session commit 3f2a91c",
            ],
          },
        ),
      ],
    };
  },
};

interface Found {
  readonly answer: Answers["/commits"];
  /** Those that may have made the commits. */
  readonly sessions: readonly Session[];
}

const sessionsRead = 200;

async function commitsFor(reader: Reader, route: Route): Promise<Found> {
  const sha = textIn(route, "sha");
  if (sha !== undefined) return commitOf(reader, sha);
  const [answer, { sessions }] = await Promise.all([
    reader.get("/commits", { branch: textIn(route, "branch"), ...pageOf(route) }),
    reader.get("/sessions", { limit: sessionsRead }),
  ]);
  return { answer, sessions };
}

async function commitOf(reader: Reader, sha: string): Promise<Found> {
  const none = { commits: [], total: 0, offset: 0, limit: 1 };
  try {
    const { commit, sessions } = await reader.get("/session/by-commit", { sha });
    return { answer: { ...none, commits: [commit], total: 1 }, sessions };
  } catch (error) {
    if (error instanceof ReadError && error.kind === "not_found") return { answer: none, sessions: [] };
    throw error;
  }
}
