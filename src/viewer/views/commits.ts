import type { Answers } from "../answers.ts";
import { ReadError, type Reader } from "../api.ts";
import { commitRow, commitSessions } from "../parts/commits.ts";
import { filters } from "../parts/filters.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { type Route, textIn } from "../route.ts";
import type { View } from "../view.ts";

/** The commits that sessions made: leads from a line in `git blame` to the work behind it. */
export const commits: View = {
  name: "commits",
  label: "Commits",
  show: async (reader, route) => {
    const answer = await commitsFor(reader, route);
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
          answer.commits.map((shown) => [commitRow(shown), commitSessions(shown)]),
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

async function commitsFor(reader: Reader, route: Route): Promise<Answers["/commits"]> {
  const sha = textIn(route, "sha");
  if (sha === undefined) return reader.get("/commits", { branch: textIn(route, "branch"), ...pageOf(route) });
  const none = { commits: [], total: 0, offset: 0, limit: 1 };
  try {
    const { commit } = await reader.get("/session/by-commit", { sha });
    return { ...none, commits: [commit], total: 1 };
  } catch (error) {
    if (error instanceof ReadError && error.kind === "not_found") return none;
    throw error;
  }
}
