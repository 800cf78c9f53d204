import { h } from "../../element.ts";
import { counted, shownNumber } from "../../format.ts";
import { emptyListNotice } from "../../parts/notices.ts";
import { rowList } from "../../parts/rows.ts";
import { section } from "../../parts/section.ts";
import type { View } from "../../view.ts";
import { memoryRow } from "../memories.ts";
import { sessionRow } from "../sessions.ts";
import { calls } from "./calls.ts";
import { condition } from "./condition.ts";
import { faultCheck } from "./faults.ts";
import { features } from "./features.ts";
import { older, tile } from "./tiles.ts";
import { running, streams } from "./workings.ts";

const newestShown = 4;

export const overview: View = {
  name: "",
  label: "Overview",
  show: async (reader) => {
    const few = { limit: 1 };
    const [report, flags, memories, newest, sessions, lessons, insights, known, procedures, graph, work] =
      await Promise.all([
        reader.get("/health"),
        reader.get("/config/flags"),
        reader.countMemories(),
        reader.get("/memories", { latest: "true", limit: newestShown }),
        reader.get("/sessions", { limit: newestShown }),
        reader.get("/lessons", few),
        reader.get("/insights", few),
        reader.get("/semantic", few),
        reader.get("/procedural", few),
        reader.get("/graph/stats"),
        reader.get("/frontier", { ...few, agentId: undefined }),
      ]);
    const isEmpty = memories.total === 0 && sessions.total === 0;
    return {
      title: "Overview",
      body: [
        condition(report),
        isEmpty &&
          emptyListNotice(
            "Nothing is stored yet. Remember something, or import an agent's history:",
            'memsvc remember "Deploys go through staging first"',
            "memsvc replay import",
          ),
        h(
          "ul",
          { class: "tiles", "aria-label": "What is stored" },
          tile("memories", memories.latestCount, ["memory", "memories"], older(memories)),
          tile("sessions", sessions.total, ["session", "sessions"]),
          tile("lessons", lessons.total, ["lesson", "lessons"]),
          tile("insights", insights.total, ["insight", "insights"]),
          tile("facts", known.total, ["fact", "facts"]),
          tile("procedures", procedures.total, ["procedure", "procedures"]),
          tile(
            "actions",
            work.totalActions,
            ["open action", "open actions"],
            work.totalUnblocked > 0 ? `${shownNumber(work.totalUnblocked)} can be started` : undefined,
          ),
          tile("graph", graph.nodes, ["graph node", "graph nodes"], counted(graph.edges, "edge")),
        ),
        h("div", { class: "columns" }, streams(report, flags), running(report)),
        newest.memories.length > 0 && section("Newest memories", rowList(newest.memories.map(memoryRow))),
        sessions.sessions.length > 0 &&
          section("Newest sessions", rowList(sessions.sessions.map(sessionRow))),
        features(flags),
        calls(report),
        faultCheck(reader),
      ],
    };
  },
};
