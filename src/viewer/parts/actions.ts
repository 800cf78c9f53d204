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

/** An action in a list: its text, status and owner. */
export function actionRow(action: Action, ...more: readonly Child[]): Child {
  const { description, title, priority, project, assignedTo, tags, updatedAt } = action;
  return [
    h("h3", {}, actionLink(action)),
    description !== "" && description !== title && h("p", { class: "excerpt" }, description),
    line(
      actionStatus(action),
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

/** The status; for a blocked action also whether it was blocked by hand rather than by requirements. */
export function actionStatus({ status, blockReason }: Action): Child {
  return [statusChip(status), blockReason === "manual" && "by hand"];
}

/** Titles of actions by id. */
export type ActionTitles = ReadonlyMap<string, string>;

const titlesRead = 200;

/** Titles of the most recently changed actions. */
export async function newestActionTitles(reader: Reader): Promise<ActionTitles> {
  const { actions } = await reader.get("/actions", { limit: titlesRead, agentId: undefined });
  return new Map(actions.map(({ id, title }) => [id, title]));
}

/** Links to actions with their titles, or with their ids if the titles are not known. */
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
