import type { CommitLink } from "../../capture/commits/record.ts";
import { type Child, h } from "../element.ts";
import { linkTo } from "../route.ts";
import { itemList } from "./item-list.ts";
import { line } from "./line.ts";
import { timeAgo } from "./time.ts";

/** A commit in a list. */
export function commitRow(shown: CommitLink): Child {
  const { shortSha, message, branch, author, authoredAt, linkedAt } = shown;
  return [
    h("h3", {}, message || "No message"),
    line(
      h("code", {}, shortSha),
      branch !== "" && branch,
      author,
      authoredAt === undefined ? h("span", {}, "linked ", timeAgo(linkedAt)) : timeAgo(authoredAt),
    ),
  ];
}

/** Links to the sessions that made a commit, by their titles, or by their ids if the titles are not known. */
export function commitSessions({ sessionIds }: CommitLink, titles: ReadonlyMap<string, string>): Child {
  return line(
    "Made in",
    itemList({ class: "plain across", "aria-label": "Sessions" }, sessionIds, (id) =>
      h("a", { href: linkTo("session", id) }, titles.get(id) ?? `session ${id}`),
    ),
  );
}
