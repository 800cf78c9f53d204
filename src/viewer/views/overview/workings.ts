import type { Flags, Health } from "../../answers.ts";
import { type Child, h } from "../../element.ts";
import { counted, shownNumber } from "../../format.ts";
import { detailList, section } from "../../parts/section.ts";
import { timeAgo } from "../../parts/time.ts";

/** The search streams in use, and what the others need. */
export function streams({ health, llm, circuitBreaker }: Health, { embeddingProvider }: Flags): HTMLElement {
  const { documents, vectors, pendingEmbeddings, model, dimensions } = health.index;
  const { calls: asked, tokens, budget } = llm.today;
  return section(
    "Searches go by",
    h(
      "div",
      { class: "card" },
      detailList([
        ["Words", `on, ${counted(documents, "record")}`],
        [
          "Meaning",
          embeddingProvider === "none"
            ? "off, there is no embedding model"
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

/** Jobs and background workers. */
export function running({ health, runningJobs }: Health): HTMLElement {
  const { jobs, workers } = health;
  return section(
    "What runs",
    h(
      "div",
      { class: "card" },
      detailList([
        [
          "Jobs",
          `${jobs.queued} waiting, ${jobs.running} running, ${jobs.failed} failed${jobs.failed > 0 ? ": look for faults below" : ""}`,
        ],
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
