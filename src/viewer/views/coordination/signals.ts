import type { Signal } from "../../../coordination/signals/record.ts";
import type { Reader } from "../../api.ts";
import { type Child, h } from "../../element.ts";
import { shownNumber } from "../../format.ts";
import { kindChip } from "../../parts/chips.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { itemList } from "../../parts/item-list.ts";
import { knownNames } from "../../parts/known.ts";
import { line, note } from "../../parts/line.ts";
import { listOf, pageOf } from "../../parts/list.ts";
import { properties } from "../../parts/properties.ts";
import { timeAgo, timed } from "../../parts/time.ts";
import { linkTo, textIn } from "../../route.ts";
import type { View } from "../../view.ts";

const types = ["info", "request", "response", "alert", "handoff"] satisfies Signal["type"][];
/** Not a real agent's name: with it, only signals to everybody are visible. */
const nobody = "*";

/** The signals that an agent sees. Viewing does not mark them as read. */
export const signals: View = {
  name: "signals",
  label: "Signals",
  show: async (reader, route) => {
    const agent = textIn(route, "agent");
    const [answer, agents] = await Promise.all([
      reader.get("/signals", {
        agentId: agent ?? nobody,
        type: textIn(route, "type"),
        threadId: textIn(route, "thread"),
        unreadOnly: route.query.get("read") === "unread" ? "true" : undefined,
        peek: "true",
        ...pageOf(route),
      }),
      correspondents(reader),
    ]);
    return {
      title: agent === undefined ? "Signals to everybody" : `Signals of ${agent}`,
      body: [
        filters(route, [
          { name: "agent", label: "Agent", placeholder: "whose signals", known: agents },
          { name: "type", label: "Type", values: anyOf(types) },
          {
            name: "read",
            label: "Read",
            values: [
              ["", "all"],
              ["unread", "only unread"],
            ],
          },
          { name: "thread", label: "Thread" },
        ]),
        agent === undefined && choiceOf(agents),
        agent !== undefined &&
          answer.unread > 0 &&
          note(`${shownNumber(answer.unread)} not read by ${agent} yet`),
        listOf(
          route,
          answer,
          answer.signals.map((signal) => signalRow(signal, agent)),
          {
            unit: ["signal", "signals"],
            order: "newest first",
            nothing: [
              "There are no signals to everybody.",
              'memsvc signal send "The schema is ready" --from planner --to builder',
            ],
          },
        ),
      ],
    };
  },
};

const entriesRead = 200;

/** Agents of sessions, and agents that have sent signals to each other recently. */
async function correspondents(reader: Reader): Promise<readonly string[]> {
  const [{ agents }, { entries }] = await Promise.all([
    knownNames(reader),
    reader.get("/audit", { operation: "signal_send", limit: entriesRead }),
  ]);
  const named = entries.flatMap(({ details }) => [details.from, details.to]);
  return [...new Set([...agents, ...named.filter((name) => typeof name === "string")])].sort();
}

/** Links to choose an agent, because signals are visible only from an agent's point of view. */
function choiceOf(agents: readonly string[]): Child {
  if (agents.length === 0) return undefined;
  return line(
    "What an agent sees:",
    itemList({ class: "plain across", "aria-label": "Agents" }, agents, (agent) =>
      h("a", { href: linkTo("signals", "", { agent }) }, agent),
    ),
  );
}

function signalRow(signal: Signal, reader: string | undefined): Child {
  const { from, to, type, content, threadId, createdAt, readAt, expiresAt } = signal;
  const isUnread = reader !== undefined && from !== reader && readAt === undefined;
  return [
    line(
      kindChip(type),
      h("strong", {}, from),
      `to ${to ?? "everybody"}`,
      timeAgo(createdAt),
      isUnread && h("span", { class: "chip old" }, "unread"),
      timed("expires", expiresAt),
    ),
    h("pre", { class: "content" }, content),
    properties(signal.metadata),
    line(
      signal.replyTo !== undefined && "a reply",
      h("a", { href: linkTo("signals", "", { agent: reader, thread: threadId }) }, "its thread"),
      h("code", { class: "id" }, signal.id),
    ),
  ];
}
