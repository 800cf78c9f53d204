import type { Session } from "../../capture/sessions/record.ts";
import { type Child, h } from "../element.ts";
import { counted, shownDuration } from "../format.ts";
import { statusChip } from "../parts/chips.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { knownNames } from "../parts/known.ts";
import { line } from "../parts/line.ts";
import { listOf, pageOf } from "../parts/list.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, textIn } from "../route.ts";
import type { View } from "../view.ts";

export const sessions: View = {
  name: "sessions",
  label: "Sessions",
  show: async (reader, route) => {
    const [answer, known] = await Promise.all([
      reader.get("/sessions", {
        project: textIn(route, "project"),
        status: textIn(route, "status"),
        agentId: textIn(route, "agent") ?? "*",
        ...pageOf(route),
      }),
      knownNames(reader),
    ]);
    return {
      title: "Sessions",
      body: [
        filters(route, [
          { name: "status", label: "Status", values: anyOf(["active", "completed", "abandoned"]) },
          {
            name: "project",
            label: "Project",
            known: known.projects,
          },
          {
            name: "agent",
            label: "Agent",
            known: known.agents,
          },
        ]),
        listOf(route, answer, answer.sessions.map(sessionRow), {
          unit: ["session", "sessions"],
          order: "newest first",
          nothing: [
            "No agent has reported anything yet. Connect one, or import its history:",
            "memsvc replay import",
          ],
        }),
      ],
    };
  },
};

/** A session in a list. */
export function sessionRow(session: Session): Child {
  const { id, project, summaryDetail, summary, observationCount, startedAt, agentId } = session;
  const title = sessionTitle(session);
  const about = summaryDetail?.narrative ?? summary ?? "";
  return [
    h("h3", {}, h("a", { href: linkTo("session", id) }, title)),
    about !== "" && about !== title && h("p", { class: "excerpt" }, about),
    line(
      statusChip(session.status),
      project,
      counted(observationCount, "observation"),
      session.commitShas.length > 0 && counted(session.commitShas.length, "commit"),
      agentId !== undefined && `agent ${agentId}`,
      ...session.tags.filter((tag) => tag !== "implicit"),
      timeAgo(startedAt),
      session.endedAt !== undefined && lasted(startedAt, session.endedAt),
    ),
  ];
}

/** The title of a session: the first of its texts that is not blank. */
export function sessionTitle({ id, summaryDetail, firstPrompt, summary }: Session): string {
  const title = [summaryDetail?.title, firstPrompt, summary].find((text) => (text ?? "").trim() !== "");
  return title ?? `Session ${id}`;
}

function lasted(startedAt: string, endedAt: string): string {
  return `lasted ${shownDuration(Math.max(0, (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000))}`;
}
