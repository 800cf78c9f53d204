import type { Health } from "../../answers.ts";
import { type Child, h } from "../../element.ts";
import { shownNumber } from "../../format.ts";
import { dataTable } from "../../parts/data-table.ts";

/** The functions with most calls since the start. */
export function calls({ functionMetrics }: Health): Child {
  if (functionMetrics.length === 0) return undefined;
  const busiest = functionMetrics.toSorted((a, b) => b.totalCalls - a.totalCalls).slice(0, 20);
  return h(
    "details",
    { class: "card more" },
    h("summary", {}, "Calls since the start"),
    dataTable(
      "Calls since the start",
      ["Function", "Calls", "Failed", "Mean"],
      busiest.map(({ functionId, totalCalls, failureCount, avgLatencyMs }) => [
        functionId,
        shownNumber(totalCalls),
        shownNumber(failureCount),
        `${avgLatencyMs.toFixed(1)} ms`,
      ]),
    ),
  );
}
