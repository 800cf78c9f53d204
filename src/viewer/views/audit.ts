import type { AuditEntry } from "../../governance/audit/record.ts";
import { type Child, h } from "../element.ts";
import { plain, shownNumber } from "../format.ts";
import { filters } from "../parts/filters.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { properties } from "../parts/properties.ts";
import { recordLink } from "../parts/record-links.ts";
import { timeOf } from "../parts/time.ts";
import { textIn } from "../route.ts";
import type { View } from "../view.ts";

const targetsShown = 12;
/** How many of the newest entries are read to suggest operations for the filter. */
const newestRead = 200;
/** Operations whose records are sessions. */
const ofSessions = /^(?:session_|summarize$)/u;

export const audit: View = {
  name: "audit",
  label: "Audit",
  show: async (reader, route) => {
    const [answer, newest] = await Promise.all([
      reader.get("/audit", {
        operation: textIn(route, "operation"),
        targetId: textIn(route, "target"),
        agentId: textIn(route, "agent") ?? "*",
        ...pageOf(route),
      }),
      reader.get("/audit", { limit: newestRead }),
    ]);
    return {
      title: "Audit",
      body: [
        filters(route, [
          {
            name: "operation",
            label: "Operation",
            known: [...new Set(newest.entries.map(({ operation }) => operation))].sort(),
          },
          { name: "target", label: "Record" },
          { name: "agent", label: "Agent" },
        ]),
        listOf(route, answer, answer.entries.map(entryRow), {
          unit: ["entry", "entries"],
          order: "newest first",
          nothing: ["Nothing has been changed yet. Every change leaves an entry here."],
        }),
      ],
    };
  },
};

function entryRow({ timestamp, operation, functionId, targetIds, details, ...entry }: AuditEntry): Child {
  const shown = targetIds.slice(0, targetsShown);
  const isOfSession = ofSessions.test(operation);
  return [
    line(
      h("strong", {}, plain(operation)),
      timeOf(timestamp),
      h("code", {}, functionId),
      entry.agentId !== undefined && `agent ${entry.agentId}`,
      entry.userId !== undefined && `user ${entry.userId}`,
      entry.qualityScore !== undefined && `quality ${entry.qualityScore}`,
    ),
    shown.length > 0 &&
      h(
        "ul",
        { class: "plain across", "aria-label": "Records" },
        shown.map((id) => h("li", {}, isOfSession ? recordLink(id, "session") : recordLink(id))),
        targetIds.length > shown.length &&
          h("li", {}, `and ${shownNumber(targetIds.length - shown.length)} more`),
      ),
    properties(details),
  ];
}
