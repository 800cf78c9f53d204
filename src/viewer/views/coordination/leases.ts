import type { Lease } from "../../../coordination/leases/record.ts";
import type { ActionInContext } from "../../answers.ts";
import { type Child, h } from "../../element.ts";
import { actionLink, actionStatus } from "../../parts/actions.ts";
import { filters } from "../../parts/filters.ts";
import { knownNames } from "../../parts/known.ts";
import { line } from "../../parts/line.ts";
import { listOf } from "../../parts/list.ts";
import { timed } from "../../parts/time.ts";
import { offsetIn, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

/** Few, because each needs a request of its own. */
const rowsShown = 25;

/** Who works on what: leases are on active actions. */
export const leases: View = {
  name: "leases",
  label: "Leases",
  show: async (reader, route) => {
    const [active, known] = await Promise.all([
      reader.get("/actions", {
        status: "active",
        project: textIn(route, "project"),
        assignedTo: textIn(route, "agent"),
        limit: rowsShown,
        offset: offsetIn(route),
      }),
      knownNames(reader),
    ]);
    const held = await Promise.all(
      active.actions.map(({ id }) => reader.get("/actions/get", { actionId: id })),
    );
    return {
      title: "Leases",
      body: [
        filters(route, [
          { name: "project", label: "Project", known: known.projects },
          { name: "agent", label: "Agent", known: known.agents },
        ]),
        listOf(route, active, held.map(leaseRow), {
          unit: ["action in work", "actions in work"],
          order: "last changed first",
          nothing: [
            "Nobody is working on an action. An agent takes the next one with:",
            "memsvc lease acquire act_01… --agent-id builder",
          ],
        }),
      ],
    };
  },
};

function leaseRow({ action, lease }: ActionInContext): Child {
  return [
    h("h3", {}, actionLink(action)),
    line(
      actionStatus(action),
      lease === null
        ? `nobody holds it${action.assignedTo === undefined ? "" : `, for ${action.assignedTo}`}`
        : holding(lease),
      action.project,
    ),
  ];
}

function holding({ agentId, acquiredAt, renewedAt, expiresAt }: Lease): Child {
  return [
    h("strong", {}, agentId),
    timed("since", acquiredAt),
    timed("renewed", renewedAt),
    timed("ends", expiresAt),
  ];
}
