import type { Checkpoint } from "../../../coordination/checkpoints/record.ts";
import { type Child, h } from "../../element.ts";
import { timeAgo, timed } from "../../parts/time.ts";
import { gateRow, gateView } from "./gates.ts";

const statuses = ["pending", "passed", "failed", "expired"] satisfies Checkpoint["status"][];
const types = ["ci", "approval", "deploy", "external", "timer"] satisfies Checkpoint["type"][];

export const checkpoints = gateView({
  name: "checkpoints",
  label: "Checkpoints",
  path: "/checkpoints",
  statuses,
  types,
  wording: {
    unit: ["checkpoint", "checkpoints"],
    order: "newest first",
    nothing: [
      "There are no checkpoints. A checkpoint holds actions back until somebody decides:",
      'memsvc checkpoint create "CI is green" --type ci --linked-action-id act_01…',
    ],
  },
  rowsOf: (answer, titles) =>
    answer.checkpoints.map((one) => gateRow(one, { about: aboutOf(one), standing: standingOf(one) }, titles)),
});

function aboutOf({ description }: Checkpoint): Child {
  return description !== "" && h("pre", { class: "content" }, description);
}

function standingOf({ status, type, resolvedBy, resolvedAt, expiresAt }: Checkpoint): Child {
  if (resolvedAt !== undefined)
    return h("span", {}, "decided ", timeAgo(resolvedAt), resolvedBy !== undefined && ` by ${resolvedBy}`);
  return timed(status === "expired" ? "expired" : type === "timer" ? "passes" : "expires", expiresAt);
}
