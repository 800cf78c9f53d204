import type { Reader } from "../../api.ts";
import { h, refill } from "../../element.ts";
import { counted } from "../../format.ts";
import { line, note } from "../../parts/line.ts";
import { rowList } from "../../parts/rows.ts";

/** A check for faults, run on demand: on a large store it takes seconds. */
export function faultCheck(reader: Reader): HTMLElement {
  const found = h("div", { role: "status" });
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
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
          wrong.map(({ name, status, message, fixable }) => [
            line(h("span", { class: "chip finding", "data-status": status }, status), h("strong", {}, name)),
            h("p", {}, message),
            fixable && note("Fixed by ", h("code", {}, "memsvc doctor --fix")),
          ]),
          { isTight: true },
        ),
      );
    } catch (error) {
      refill(found, h("p", { class: "fault" }, error instanceof Error ? error.message : String(error)));
    } finally {
      isLooking = false;
    }
  };
  return h(
    "section",
    { class: "card more", "aria-label": "Health check" },
    h("button", { type: "button", listen: { click: () => void look() } }, "Look for faults"),
    found,
  );
}
