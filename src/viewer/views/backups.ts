import type { Snapshot } from "../../governance/snapshots/record.ts";
import { type Child, h } from "../element.ts";
import { counted, shownBytes } from "../format.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { timeOf } from "../parts/time.ts";
import type { View } from "../view.ts";

export const backups: View = {
  name: "snapshots",
  label: "Snapshots",
  show: async (reader, route) => {
    const answer = await reader.get("/snapshots", pageOf(route));
    return {
      title: "Snapshots",
      body: listOf(route, answer, answer.snapshots.map(snapshotRow), {
        unit: ["snapshot", "snapshots"],
        order: "newest first",
        nothing: ["There are no snapshots yet.", 'memsvc snapshot create --message "before the upgrade"'],
      }),
    };
  },
};

function snapshotRow({ id, createdAt, message, kind, sizeBytes, stats, missing }: Snapshot): Child {
  return [
    h("h3", {}, message || "No message"),
    line(
      h("span", { class: "chip" }, kind),
      missing === true && h("span", { class: "chip bad" }, "file missing"),
      timeOf(createdAt),
      shownBytes(sizeBytes),
      [
        counted(stats.sessions, "session"),
        counted(stats.observations, "observation"),
        counted(stats.memories, "memory", "memories"),
      ].join(", "),
      h("code", { class: "id" }, id),
    ),
  ];
}
