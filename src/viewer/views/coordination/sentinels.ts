import type { Sentinel } from "../../../coordination/sentinels/record.ts";
import { type Child, h } from "../../element.ts";
import { type ActionTitles, actionLinks, newestActionTitles } from "../../parts/actions.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { listOf, pageRows } from "../../parts/list.ts";
import { nothingHere } from "../../parts/notices.ts";
import { properties, shownValue } from "../../parts/properties.ts";
import { kindChip, statusChip, timeAgo } from "../../parts/small.ts";
import { numberIn, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

const statuses = ["watching", "triggered", "cancelled", "expired"] satisfies Sentinel["status"][];
const types = ["webhook", "timer", "threshold", "pattern", "approval", "custom"] satisfies Sentinel["type"][];

export const sentinels: View = {
  name: "sentinels",
  label: "Sentinels",
  show: async (reader, route) => {
    const [answer, titles] = await Promise.all([
      reader.get("/sentinels", {
        status: textIn(route, "status"),
        type: textIn(route, "type"),
        limit: pageRows,
        offset: numberIn(route, "offset"),
      }),
      newestActionTitles(reader),
    ]);
    return {
      title: "Sentinels",
      body: [
        filters(route, [
          { name: "status", label: "Status", values: anyOf(statuses) },
          { name: "type", label: "Type", values: anyOf(types) },
        ]),
        listOf(
          route,
          answer,
          answer.sentinels.map((one) => sentinelRow(one, titles)),
          {
            unit: ["sentinel", "sentinels"],
            order: "newest first",
            nothing: nothingHere(
              "Nothing is watched for. A sentinel holds actions back until something happens:",
              'memsvc sentinel create "Release approved" --type approval --linked-action-id act_01…',
            ),
          },
        ),
      ],
    };
  },
};

function sentinelRow(sentinel: Sentinel, titles: ActionTitles): Child {
  const { id, name, status, type, config, result, triggeredAt, expiresAt, escalatedAt } = sentinel;
  return [
    h("h3", {}, name),
    properties(config),
    h(
      "div",
      { class: "line" },
      statusChip(status),
      kindChip(type),
      triggeredAt !== undefined && h("span", {}, "triggered ", timeAgo(triggeredAt)),
      expiresAt !== undefined &&
        (status === "watching" || status === "expired") &&
        h("span", {}, status === "expired" ? "expired " : "expires ", timeAgo(expiresAt)),
      escalatedAt !== undefined && h("span", {}, "everybody was told ", timeAgo(escalatedAt)),
      h("span", {}, "made ", timeAgo(sentinel.createdAt)),
      h("code", { class: "id" }, id),
    ),
    result !== undefined && h("p", { class: "note" }, shownValue(result)),
    actionLinks("Gates", sentinel.linkedActionIds, titles),
  ];
}
