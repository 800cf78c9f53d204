import type { Action } from "../../../coordination/actions/record.ts";
import type { ActionInContext } from "../../answers.ts";
import { ReadError, type Reader } from "../../api.ts";
import { type Child, h } from "../../element.ts";
import { counted, plain } from "../../format.ts";
import { actionLink, actionRow, actionStatus } from "../../parts/actions.ts";
import { kindChip, statusChip, tagChips } from "../../parts/chips.ts";
import { itemList } from "../../parts/item-list.ts";
import { labelsOf } from "../../parts/labels.ts";
import { line, note } from "../../parts/line.ts";
import { properties } from "../../parts/properties.ts";
import { projectLink, recordLink } from "../../parts/record-links.ts";
import { rowList } from "../../parts/rows.ts";
import { detailList, section } from "../../parts/section.ts";
import { timeAgo, timeOf } from "../../parts/time.ts";
import { linkTo } from "../../route.ts";
import type { View } from "../../view.ts";

export const action: View = {
  name: "action",
  under: "actions",
  show: async (reader, { id }) => {
    const [answer, labels] = await Promise.all([
      reader.get("/actions/get", { actionId: id }),
      labelsOf(reader, id),
    ]);
    const { action: shown, children } = answer;
    return {
      title: shown.title,
      body: [
        line(actionStatus(shown), `priority ${shown.priority}`, h("code", { class: "id" }, shown.id)),
        shown.description !== "" && h("pre", { class: "content" }, shown.description),
        tagChips(shown.tags, "Tags"),
        details(answer, labels),
        shown.result !== undefined && section("Result", h("pre", { class: "content" }, shown.result)),
        waitsFor(answer),
        await ties(reader, answer),
        children.length > 0 && section("Parts", rowList(children.map((child) => actionRow(child)))),
      ],
    };
  },
};

function details({ action: shown, lease }: ActionInContext, labels: Child): HTMLElement {
  const { runId } = shown.metadata ?? {};
  const sources = [...shown.sourceMemoryIds, ...shown.sourceObservationIds];
  return detailList([
    ["Project", projectLink(shown.project)],
    ["Labels", labels],
    ["Assigned to", shown.assignedTo],
    [
      "Held by",
      lease !== null && [
        lease.agentId,
        ", since ",
        timeOf(lease.acquiredAt),
        ", ends ",
        timeAgo(lease.expiresAt),
      ],
    ],
    ["Put down", [timeOf(shown.createdAt), shown.createdBy !== undefined && ` by ${shown.createdBy}`]],
    ["Changed", timeOf(shown.updatedAt)],
    [
      shown.status === "cancelled" ? "Cancelled" : "Done",
      shown.completedAt !== undefined && timeOf(shown.completedAt),
    ],
    ["Part of", shown.parentId !== undefined && recordLink(shown.parentId, "action")],
    [
      "Sketch",
      shown.sketchId !== undefined &&
        h("a", { href: linkTo("actions", "", { sketch: shown.sketchId }) }, shown.sketchId),
    ],
    ["Run", typeof runId === "string" && recordLink(runId, "run")],
    [
      "Crystal",
      shown.crystallizedInto !== undefined &&
        h("a", { href: linkTo("crystals", "", { project: shown.project }) }, shown.crystallizedInto),
    ],
    [
      "Came from",
      sources.length > 0 && itemList({ class: "plain across" }, sources, (source) => recordLink(source)),
    ],
    ["Besides", properties(shown.metadata)],
  ]);
}

function waitsFor({ blockers }: ActionInContext): Child {
  if (blockers.length === 0) return undefined;
  return section(
    "Waits for",
    rowList(
      blockers.map(({ kind, id, title, status }) =>
        line(
          kindChip(kind),
          kind === "action" || kind === "conflict"
            ? actionLink({ id, title })
            : h("a", { href: linkTo(`${kind}s`, "", { status }) }, title),
          statusChip(status),
        ),
      ),
      { isTight: true },
    ),
  );
}

const tiesShown = 30;

/** Edges from and to the action, with the actions at their other ends. */
async function ties(reader: Reader, { action: shown, edges, blockers }: ActionInContext): Promise<Child> {
  if (edges.length === 0) return undefined;
  const named = edges.slice(0, tiesShown).map((edge) => {
    const goesOut = edge.sourceActionId === shown.id;
    return { ...edge, goesOut, other: goesOut ? edge.targetActionId : edge.sourceActionId };
  });
  const others = await Promise.all(
    named.map(({ type, goesOut, other }) =>
      type === "gated_by" && goesOut ? undefined : found(reader, other),
    ),
  );
  return section(
    "Edges",
    rowList(
      named.map(({ type, goesOut, other, metadata }, at) => {
        const action = others[at];
        const gate = blockers.find(({ id }) => id === other);
        return [
          line(
            h("span", { class: "chip" }, goesOut ? plain(type) : `${plain(type)} (from it)`),
            action === undefined ? (gate?.title ?? h("code", { class: "id" }, other)) : actionLink(action),
            action !== undefined && statusChip(action.status),
          ),
          properties(metadata),
        ];
      }),
      { isTight: true },
    ),
    edges.length > tiesShown && note(`and ${counted(edges.length - tiesShown, "more edge")}`),
  );
}

async function found(reader: Reader, actionId: string): Promise<Action | undefined> {
  try {
    return (await reader.get("/actions/get", { actionId })).action;
  } catch (error) {
    if (error instanceof ReadError && error.kind === "not_found") return undefined;
    throw error;
  }
}
