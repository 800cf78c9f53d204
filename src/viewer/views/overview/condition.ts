import type { Health } from "../../answers.ts";
import { h } from "../../element.ts";
import { plain, shownBytes, shownDuration } from "../../format.ts";
import { itemList } from "../../parts/item-list.ts";
import { note } from "../../parts/line.ts";

/** The state of the service, and its warnings. */
export function condition({ status, service, version, health }: Health): HTMLElement {
  const { database, uptimeSeconds, memory, alerts, notes } = health;
  return h(
    "div",
    { class: "card condition", "data-status": status },
    h("p", {}, h("strong", { class: "status", "data-status": status }, status), ` ${service} ${version}`),
    note(
      `up for ${shownDuration(uptimeSeconds)}, store ${shownBytes(database.sizeBytes + database.walBytes)}, `,
      `memory ${shownBytes(memory.rss)}, free disk ${shownBytes(database.freeDiskBytes)}`,
    ),
    alerts.length > 0 && itemList({ class: "alerts" }, alerts, (alert) => plain(alert)),
    notes.length > 0 && itemList({ class: "notes" }, notes, (note) => note),
  );
}
