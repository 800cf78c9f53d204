import { actionRow, actionStatuses } from "../../parts/actions.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { knownNames } from "../../parts/known.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { textIn } from "../../route.ts";
import type { View } from "../../view.ts";

export const actions: View = {
  name: "actions",
  label: "Actions",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/actions", {
        status: textIn(route, "status"),
        project: textIn(route, "project"),
        assignedTo: textIn(route, "assigned"),
        tag: textIn(route, "tag"),
        parentId: textIn(route, "parent"),
        sketchId: textIn(route, "sketch"),
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: textIn(route, "sketch") === undefined ? "Actions" : "Actions of a sketch",
      body: [
        filters(route, [
          { name: "status", label: "Status", values: anyOf(actionStatuses) },
          { name: "project", label: "Project", known: known.projects },
          { name: "assigned", label: "Assigned to", known: known.agents },
          { name: "tag", label: "Tag" },
          { name: "parent", hidden: true },
          { name: "sketch", hidden: true },
        ]),
        listOf(
          route,
          answer,
          answer.actions.map((action) => actionRow(action)),
          {
            unit: ["action", "actions"],
            order: "last changed first",
            nothing: [
              "No action has been created yet.",
              'memsvc action create "Move the sessions to libSQL" --priority 7',
            ],
          },
        ),
      ],
    };
  },
};
