import type { Checkpoint } from "../../../coordination/checkpoints/record.ts";
import { type Child, h } from "../../element.ts";
import { type ActionTitles, actionLinks, newestActionTitles } from "../../parts/actions.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { listOf, pageRows } from "../../parts/list.ts";
import { nothingHere } from "../../parts/notices.ts";
import { shownValue } from "../../parts/properties.ts";
import { kindChip, statusChip, timeAgo } from "../../parts/small.ts";
import { numberIn, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

const statuses = ["pending", "passed", "failed", "expired"] satisfies Checkpoint["status"][];
const types = ["ci", "approval", "deploy", "external", "timer"] satisfies Checkpoint["type"][];

export const checkpoints: View = {
  name: "checkpoints",
  label: "Checkpoints",
  show: async (reader, route) => {
    const [answer, titles] = await Promise.all([
      reader.get("/checkpoints", {
        status: textIn(route, "status"),
        type: textIn(route, "type"),
        limit: pageRows,
        offset: numberIn(route, "offset"),
      }),
      newestActionTitles(reader),
    ]);
    return {
      title: "Checkpoints",
      body: [
        filters(route, [
          { name: "status", label: "Status", values: anyOf(statuses) },
          { name: "type", label: "Type", values: anyOf(types) },
        ]),
        listOf(
          route,
          answer,
          answer.checkpoints.map((one) => checkpointRow(one, titles)),
          {
            unit: ["checkpoint", "checkpoints"],
            order: "newest first",
            nothing: nothingHere(
              "There is no checkpoint. One holds actions back until somebody decides:",
              'memsvc checkpoint create "CI is green" --type ci --linked-action-id act_01…',
            ),
          },
        ),
      ],
    };
  },
};

function checkpointRow(checkpoint: Checkpoint, titles: ActionTitles): Child {
  const { id, name, description, status, type, result, resolvedBy, resolvedAt, expiresAt } = checkpoint;
  return [
    h("h3", {}, name),
    description !== "" && h("p", { class: "excerpt" }, description),
    h(
      "div",
      { class: "line" },
      statusChip(status),
      kindChip(type),
      resolvedAt !== undefined &&
        h("span", {}, "decided ", timeAgo(resolvedAt), resolvedBy !== undefined && ` by ${resolvedBy}`),
      expiresAt !== undefined &&
        resolvedAt === undefined &&
        h(
          "span",
          {},
          status === "expired" ? "expired " : type === "timer" ? "passes " : "expires ",
          timeAgo(expiresAt),
        ),
      h("span", {}, "made ", timeAgo(checkpoint.createdAt)),
      h("code", { class: "id" }, id),
    ),
    result !== undefined && h("p", { class: "note" }, shownValue(result)),
    actionLinks("Gates", checkpoint.linkedActionIds, titles),
  ];
}
