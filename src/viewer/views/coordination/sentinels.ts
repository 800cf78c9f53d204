import type { Sentinel } from "../../../coordination/sentinels/record.ts";
import type { Child } from "../../element.ts";
import { emptyListNotice } from "../../parts/notices.ts";
import { properties } from "../../parts/properties.ts";
import { timed } from "../../parts/time.ts";
import type { View } from "../../view.ts";
import { gateList, gateRow } from "./gates.ts";

const statuses = ["watching", "triggered", "cancelled", "expired"] satisfies Sentinel["status"][];
const types = ["webhook", "timer", "threshold", "pattern", "approval", "custom"] satisfies Sentinel["type"][];

export const sentinels: View = {
  name: "sentinels",
  label: "Sentinels",
  show: (reader, route) => {
    const wording = {
      unit: ["sentinel", "sentinels"],
      order: "newest first",
      nothing: emptyListNotice(
        "There are no sentinels. A sentinel holds actions back until something happens:",
        'memsvc sentinel create "Release approved" --type approval --linked-action-id act_01…',
      ),
    } as const;
    return gateList(
      reader,
      route,
      { title: "Sentinels", path: "/sentinels", statuses, types, wording },
      (answer, titles) =>
        answer.sentinels.map((one) =>
          gateRow(one, { about: properties(one.config), standing: standingOf(one) }, titles),
        ),
    );
  },
};

function standingOf({ status, triggeredAt, expiresAt, escalatedAt }: Sentinel): Child {
  return [
    timed("triggered", triggeredAt),
    (status === "watching" || status === "expired") &&
      timed(status === "expired" ? "expired" : "expires", expiresAt),
    timed("everybody was told", escalatedAt),
  ];
}
