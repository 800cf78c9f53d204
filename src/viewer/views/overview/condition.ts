import type { Health } from "../../answers.ts";
import { h } from "../../element.ts";
import { plain, shownBytes, shownDuration } from "../../format.ts";

/** How the service is, and what its measures warn of. */
export function condition({ status, service, version, health }: Health): HTMLElement {
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
        alerts.map((alert) => h("li", {}, plain(alert))),
      ),
    notes.length > 0 &&
      h(
        "ul",
        { class: "notes" },
        notes.map((note) => h("li", {}, note)),
      ),
  );
}
