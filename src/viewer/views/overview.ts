import type { Flags, Health } from "../answers.ts";
import type { Reader } from "../api.ts";
import { type Child, h, refill } from "../element.ts";
import { nothingHere } from "../parts/notices.ts";
import { facts, section, timeAgo } from "../parts/small.ts";
import { linkTo } from "../route.ts";
import type { View } from "../view.ts";
import { counted, shownBytes, shownDuration, shownNumber } from "../words.ts";
import { memoryRow } from "./memories.ts";
import { sessionRow } from "./sessions.ts";

const newestShown = 4;

export const overview: View = {
  name: "",
  label: "Overview",
  show: async (reader) => {
    const few = { limit: 1 };
    const [report, flags, memories, newest, sessions, lessons, insights, known, procedures, graph] =
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
      ]);
    const isEmpty = memories.total === 0 && sessions.total === 0;
    return {
      title: "Overview",
      body: [
        condition(report),
        isEmpty &&
          nothingHere(
            "Nothing is stored yet. Remember something, or take in what an agent did before:",
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
          tile("graph", graph.nodes, ["graph node", "graph nodes"], counted(graph.edges, "edge")),
        ),
        h("div", { class: "columns" }, streams(report, flags), running(report)),
        newest.memories.length > 0 &&
          section(
            "Newest memories",
            h(
              "ul",
              { class: "rows" },
              newest.memories.map((one) => h("li", { class: "card row" }, memoryRow(one))),
            ),
          ),
        sessions.sessions.length > 0 &&
          section(
            "Newest sessions",
            h(
              "ul",
              { class: "rows" },
              sessions.sessions.map((one) => h("li", { class: "card row" }, sessionRow(one))),
            ),
          ),
        features(flags),
        calls(report),
        checks(reader),
      ],
    };
  },
};

function older({ total, latestCount }: { total: number; latestCount: number }): string | undefined {
  return total > latestCount ? `and ${counted(total - latestCount, "earlier version")}` : undefined;
}

function tile(
  view: string,
  count: number,
  [one, many]: readonly [string, string],
  note?: string,
): HTMLElement {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card tile", href: linkTo(view) },
      h("strong", {}, shownNumber(count)),
      h("span", {}, count === 1 ? one : many),
      note !== undefined && h("small", {}, note),
    ),
  );
}

function condition({ status, service, version, health }: Health): HTMLElement {
  const { database, uptimeSeconds, memory, alerts, notes } = health;
  return h(
    "div",
    { class: "card condition", "data-status": status },
    h("p", {}, h("strong", { class: "status", "data-status": status }, status), ` ${service} ${version}`),
    h(
      "p",
      { class: "note" },
      `up for ${shownDuration(uptimeSeconds)}, store ${shownBytes(database.sizeBytes + database.walBytes)}, `,
      `memory ${shownBytes(memory.rss)}, free disk ${shownBytes(database.freeDiskBytes)}`,
    ),
    alerts.length > 0 &&
      h(
        "ul",
        { class: "alerts" },
        alerts.map((alert) => h("li", {}, alert.replaceAll("_", " "))),
      ),
    notes.length > 0 &&
      h(
        "ul",
        { class: "notes" },
        notes.map((note) => h("li", {}, note)),
      ),
  );
}

/** By which streams searches go, and what is missing for the others. */
function streams({ health, llm, circuitBreaker }: Health, { embeddingProvider }: Flags): HTMLElement {
  const { documents, vectors, pendingEmbeddings, model, dimensions } = health.index;
  const { calls: asked, tokens, budget } = llm.today;
  return section(
    "Searches go by",
    h(
      "div",
      { class: "card" },
      facts([
        ["Words", `on, ${counted(documents, "record")}`],
        [
          "Meaning",
          embeddingProvider === "none"
            ? ["off, there is no embedding model: ", h("code", {}, "memsvc models pull")]
            : `on, ${model}: ${shownNumber(vectors)} embedded${pendingEmbeddings > 0 ? `, ${shownNumber(pendingEmbeddings)} waiting` : ""}, ${dimensions} dimensions`,
        ],
        ["Relations", "on, the knowledge graph"],
        [
          "Language model",
          llm.provider === "noop"
            ? "none, rules do the work"
            : `${llm.model ?? llm.provider}, ${counted(asked, "call")} and ${counted(tokens, "token")} today${budget === null ? "" : ` of ${shownNumber(budget)}`}`,
        ],
        [
          "Circuit breaker",
          circuitBreaker.state !== "closed" &&
            `${circuitBreaker.state}, ${counted(circuitBreaker.failures, "failure")} in a row`,
        ],
      ]),
    ),
  );
}

function running({ health, runningJobs }: Health): HTMLElement {
  const { jobs, workers } = health;
  return section(
    "What runs",
    h(
      "div",
      { class: "card" },
      facts([
        ["Jobs", `${jobs.queued} waiting, ${jobs.running} running, ${jobs.failed} failed`],
        ["Oldest waits since", jobs.oldestQueuedAt !== undefined && timeAgo(jobs.oldestQueuedAt)],
        ...workers.map(({ name, status }): [string, Child] => [
          name,
          h("span", { class: "worker", "data-status": status }, status),
        ]),
        ...runningJobs.map(({ kind, since, done }): [string, Child] => [
          kind,
          [timeAgo(since), done.length > 0 && `, done: ${done.join(", ")}`],
        ]),
      ]),
    ),
  );
}

function features({ flags, features: others }: Flags): HTMLElement {
  return h(
    "details",
    { class: "card more" },
    h("summary", {}, "Features"),
    h(
      "dl",
      { class: "features" },
      [...flags, ...others].map(({ key, label, enabled, effective, description, enableHow }) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            h(
              "span",
              { class: "chip switch", "data-on": String(effective) },
              effective ? "on" : enabled ? "set, not working" : "off",
            ),
            ` ${label}`,
          ),
          h("dd", {}, description, !effective && h("p", { class: "note" }, enableHow), h("code", {}, key)),
        ),
      ),
    ),
  );
}

function calls({ functionMetrics }: Health): Child {
  if (functionMetrics.length === 0) return undefined;
  const busiest = functionMetrics.toSorted((a, b) => b.totalCalls - a.totalCalls).slice(0, 20);
  return h(
    "details",
    { class: "card more" },
    h("summary", {}, "Calls since the start"),
    h(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Calls since the start" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Function", "Calls", "Failed", "Mean"].map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          busiest.map(({ functionId, totalCalls, failureCount, avgLatencyMs }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, functionId),
              h("td", {}, shownNumber(totalCalls)),
              h("td", {}, shownNumber(failureCount)),
              h("td", {}, `${avgLatencyMs.toFixed(1)} ms`),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Looks for faults when asked to: on a large store that takes seconds. */
function checks(reader: Reader): HTMLElement {
  const found = h("div", { role: "status" });
  const look = async (): Promise<void> => {
    refill(found, h("p", { class: "note" }, "Looking…"));
    try {
      const { checks: all, summary } = await reader.post("/diagnostics", {});
      const wrong = all.filter(({ status }) => status !== "pass");
      refill(
        found,
        h(
          "p",
          {},
          `${counted(summary.pass, "category", "categories")} without a finding, ${summary.warn} to look at, ${summary.fail} wrong`,
        ),
        h(
          "ul",
          { class: "rows tight" },
          wrong.map(({ name, status, message, fixable }) =>
            h(
              "li",
              { class: "card row" },
              h(
                "div",
                { class: "line" },
                h("span", { class: "chip finding", "data-status": status }, status),
                h("strong", {}, name),
              ),
              h("p", {}, message),
              fixable && h("p", { class: "note" }, "Mended by ", h("code", {}, "memsvc doctor --fix")),
            ),
          ),
        ),
      );
    } catch (error) {
      refill(found, h("p", { class: "fault" }, error instanceof Error ? error.message : String(error)));
    }
  };
  return h(
    "section",
    { class: "card more", "aria-label": "Health check" },
    h("button", { type: "button", listen: { click: () => void look() } }, "Look for faults"),
    found,
  );
}
