import type { Flags } from "../../answers.ts";
import { h } from "../../element.ts";
import { note } from "../../parts/line.ts";

/** Features that can be switched on, and how. */
export function features({ flags, features: others }: Flags): HTMLElement {
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
          h("dd", {}, description, !effective && note(enableHow), h("code", {}, key)),
        ),
      ),
    ),
  );
}
