import type { Sentinel } from "../../../coordination/sentinels/record.ts";
import type { Child } from "../../element.ts";
import { properties } from "../../parts/properties.ts";
import { timed } from "../../parts/time.ts";
import { gateRow, gateView } from "./gates.ts";

const statuses = ["watching", "triggered", "cancelled", "expired"] satisfies Sentinel["status"][];
const types = ["webhook", "timer", "threshold", "pattern", "approval", "custom"] satisfies Sentinel["type"][];

export const sentinels = gateView({
  name: "sentinels",
  label: "Sentinels",
  path: "/sentinels",
  statuses,
  types,
  wording: {
    unit: ["sentinel", "sentinels"],
    order: "newest first",
    nothing: [
      "There are no sentinels. A sentinel holds actions back until something happens:",
      'memsvc sentinel create "Release approved" --type approval --linked-action-id act_01…',
    ],
  },
  rowsOf: (answer, titles) =>
    answer.sentinels.map((one) =>
      gateRow(one, { about: properties(one.config), standing: standingOf(one) }, titles),
    ),
});

function standingOf(shown: Sentinel): Child {
  const { status, triggeredAt, expiresAt, escalatedAt } = shown;
  return [
    status === "watching" && timed("triggers", dueAt(shown)),
    timed("triggered", triggeredAt),
    (status === "watching" || status === "expired") &&
      timed(status === "expired" ? "expired" : "expires", expiresAt),
    timed("everybody was told", escalatedAt),
  ];
}

/** When a timer will be over; its configuration only says after how many milliseconds. */
function dueAt({ type, config, createdAt }: Sentinel): string | undefined {
  const due = new Date(Date.parse(createdAt) + Number(config.durationMs));
  return type === "timer" && Number.isFinite(due.getTime()) ? due.toISOString() : undefined;
}
