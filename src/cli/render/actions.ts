import type { nextAction, readFrontier } from "../../coordination/actions/frontier/operations.ts";
import type {
  addActionEdge,
  createAction,
  getAction,
  listActions,
  updateAction,
} from "../../coordination/actions/operations.ts";
import type { Action } from "../../coordination/actions/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Field, inColumns } from "./columns.ts";
import { type DetailFields, detailLines } from "./details.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { oneLine } from "./text.ts";
import { shownMoment, shownTime } from "./time.ts";

export function renderCreatedAction({ action }: OutputOf<typeof createAction>, terminal: Terminal): string {
  return outcome(terminal, "made", action.id, { notes: [stateOf(action)] });
}

/** For an updated action, and for one whose lease was released. */
export function renderChangedAction({ action, ...answer }: OutputOf<typeof updateAction>): string {
  const freed = unblockedLines(answer).map((line) => `now possible: ${line}`);
  return [`${action.id} is ${stateOf(action)}`, ...freed].join("\n");
}

/** One line for each unblocked action: its id and its title. */
export function unblockedLines({
  unblocked,
  unblockedTitles = [],
}: Pick<OutputOf<typeof updateAction>, "unblocked"> & {
  /** A daemon of an older version does not give them. */
  readonly unblockedTitles?: readonly string[];
}): string[] {
  return unblocked.map((id, at) => `${id}  ${oneLine(unblockedTitles[at] ?? "", 120)}`.trimEnd());
}

export function renderActions(
  { actions, ...page }: OutputOf<typeof listActions>,
  terminal: Terminal,
): string {
  return pageLines(page, actions, terminal, "no actions found", (action) => actionRow(action, terminal));
}

export function renderAction(
  { action, edges, children, blockers, lease }: OutputOf<typeof getAction>,
  terminal: Terminal,
): string {
  const { paint, isForPeople } = terminal;
  const waitedFor = new Set(blockers.map(({ id }) => id));
  const facts: DetailFields = [
    ["id", action.id],
    ["status", stateOf(action)],
    ["priority", String(action.priority)],
    ["project", action.project],
    ["assigned to", action.assignedTo],
    ["tags", action.tags.join(", ") || undefined],
    ["part of", action.parentId],
    ["sketch", action.sketchId],
    ["crystal", action.crystallizedInto],
    ["made", shownTime(action.createdAt, isForPeople)],
    ["finished", action.completedAt && shownTime(action.completedAt, isForPeople)],
    ["held by", lease ? `${lease.agentId} until ${shownMoment(lease.expiresAt, isForPeople)}` : undefined],
    ...blockers.map(
      ({ kind, id, title, status }) =>
        ["waits for", `${kind} ${id} (${status})${title === "" ? "" : `: ${oneLine(title, 120)}`}`] as const,
    ),
    ...edges
      .filter(
        ({ sourceActionId, targetActionId }) =>
          !(sourceActionId === action.id && waitedFor.has(targetActionId)),
      )
      .map(
        ({ type, sourceActionId, targetActionId }) =>
          ["edge", `${sourceActionId} ${type} ${targetActionId}`] as const,
      ),
    ["result", action.result],
  ];
  return [
    action.title,
    "",
    ...detailLines(facts, paint),
    ...(action.description === "" ? [] : ["", action.description]),
    ...(children.length === 0 ? [] : ["", ...actionLines(children, terminal)]),
  ].join("\n");
}

export function renderActionEdge({ edge, action }: OutputOf<typeof addActionEdge>): string {
  return `${edge.sourceActionId} ${edge.type} ${edge.targetActionId}\n${action.id} is ${stateOf(action)}`;
}

export function renderFrontier(
  { frontier, totalActions, totalUnblocked }: OutputOf<typeof readFrontier>,
  terminal: Terminal,
): string {
  if (frontier.length === 0) return "nothing can be worked on now";
  const rows = frontier.map(({ action, score }) => [
    score.toFixed(1).padStart(5),
    ...actionRow(action, terminal),
  ]);
  const rest = totalUnblocked - frontier.length;
  const totals = `${totalUnblocked} of ${totalActions} can be worked on now`;
  return [
    ...inColumns(rows, terminal),
    terminal.paint.dim(rest > 0 ? `… ${rest} more; ${totals}` : totals),
  ].join("\n");
}

export function renderNext(
  { suggestion, message }: OutputOf<typeof nextAction>,
  { paint, isForPeople }: Terminal,
): string {
  if (suggestion === null) return message;
  const { actionId, title, description } = suggestion;
  if (!isForPeople) return `${actionId}  ${oneLine(title, 300)}`;
  return [title, paint.dim(`  ${actionId}`), ...(description === "" ? [] : ["", description])].join("\n");
}

function stateOf({ status, blockReason }: Action): string {
  if (blockReason === undefined) return status;
  return blockReason === "edges" ? `${status}, until its gates are met` : `${status} by hand`;
}

function actionLines(actions: readonly Action[], terminal: Terminal): string[] {
  return inColumns(
    actions.map((action) => actionRow(action, terminal)),
    terminal,
  );
}

function actionRow(action: Action, { paint, isForPeople }: Terminal): Field[] {
  const facts = [action.project, action.assignedTo, shownTime(action.updatedAt, isForPeople)]
    .filter(Boolean)
    .join(", ");
  return [action.id, action.status.padEnd(9), { whole: action.title }, paint.dim(facts)];
}
