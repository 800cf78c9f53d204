import type { Action } from "../../coordination/actions/record.ts";
import type { Reader } from "../api.ts";
import { type Child, h } from "../element.ts";
import { linkTo } from "../route.ts";
import { statusChip, tagChips } from "./chips.ts";
import { itemList } from "./item-list.ts";
import { line } from "./line.ts";
import { recordLink } from "./record-links.ts";
import { timeAgo } from "./time.ts";

export const actionStatuses = [
  "pending",
  "active",
  "done",
  "blocked",
  "cancelled",
] satisfies Action["status"][];

/** An action in a list: what is to be done, how it stands and whose it is. */
export function actionRow(action: Action, ...more: readonly Child[]): Child {
  const { description, title, priority, project, assignedTo, tags, updatedAt } = action;
  return [
    h("h3", {}, actionLink(action)),
    description !== "" && description !== title && h("p", { class: "excerpt" }, description),
    line(
      standing(action),
      more,
      `priority ${priority}`,
      project,
      assignedTo !== undefined && `for ${assignedTo}`,
      timeAgo(updatedAt),
    ),
    tagChips(tags, "Tags"),
  ];
}

export function actionLink({ id, title }: Pick<Action, "id" | "title">): HTMLElement {
  return h("a", { href: linkTo("action", id) }, title);
}

/** The status, and of a blocked action whether it waits for others or was stopped by hand. */
export function standing({ status, blockReason }: Action): Child {
  return [statusChip(status), blockReason === "manual" && "by hand"];
}

/** Titles of actions by their ids. */
export type ActionTitles = ReadonlyMap<string, string>;

const titlesRead = 200;

/** Titles of the actions that changed last. */
export async function newestActionTitles(reader: Reader): Promise<ActionTitles> {
  const { actions } = await reader.get("/actions", { limit: titlesRead, agentId: undefined });
  return new Map(actions.map(({ id, title }) => [id, title]));
}

/** Actions by their titles, or by their ids where those are not at hand. */
export function actionLinks(label: string, ids: readonly string[], titles: ActionTitles): Child {
  if (ids.length === 0) return undefined;
  return line(
    label,
    itemList({ class: "plain across", "aria-label": label }, ids, (id) => {
      const title = titles.get(id);
      return title === undefined ? recordLink(id, "action") : actionLink({ id, title });
    }),
  );
}
