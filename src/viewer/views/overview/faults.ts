import type { Reader } from "../../api.ts";
import { h, refill } from "../../element.ts";
import { counted } from "../../format.ts";
import { itemList } from "../../parts/item-list.ts";
import { line, note } from "../../parts/line.ts";
import { recordLink } from "../../parts/record-links.ts";
import { rowList } from "../../parts/rows.ts";
import { timed } from "../../parts/time.ts";

/** What was found last. The element is kept: a refresh of the view must not take the findings away. */
const found = h("div", { role: "status" });

/** A check for faults, run on demand: on a large store it takes seconds. */
export function faultCheck(reader: Reader): HTMLElement {
  return h(
    "section",
    { class: "card more", "aria-label": "Health check" },
    h("button", { type: "button", listen: { click: () => void look(reader) } }, "Look for faults"),
    found,
  );
}

async function look(reader: Reader): Promise<void> {
  if (found.hasAttribute("aria-busy")) return;
  // Keeps the view from being refreshed by itself meanwhile.
  found.setAttribute("aria-busy", "true");
  refill(found, note("Looking…"));
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
      rowList(
        wrong.map(({ name, status, message, hint, fixable, ids = [] }) => [
          line(h("span", { class: "chip finding", "data-status": status }, status), h("strong", {}, name)),
          h("p", {}, message),
          ids.length > 0 &&
            itemList({ class: "plain across", "aria-label": "Records" }, ids, (id) => recordLink(id)),
          hint !== undefined && note(hint),
          fixable && note("Fixed by ", h("code", {}, "memsvc doctor --fix")),
        ]),
        { isTight: true },
      ),
      note(timed("Looked", new Date().toISOString())),
    );
  } catch (error) {
    const isLeft = error instanceof DOMException && error.name === "AbortError";
    refill(
      found,
      !isLeft && h("p", { class: "fault" }, error instanceof Error ? error.message : String(error)),
    );
  } finally {
    found.removeAttribute("aria-busy");
  }
}
