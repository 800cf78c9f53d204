import { type Attributes, h } from "../element.ts";

/** A number from 0 to 1 as a bar, with what it measures. */
export function meter(value: number, label: string): HTMLElement {
  const shown = `${label} ${value.toFixed(2)}`;
  return h(
    "span",
    { class: "bar", title: `${shown} of 1` },
    h("meter", { min: 0, max: 1, value, "aria-label": label }),
    h("span", { class: "number", "aria-hidden": "true" }, shown),
  );
}

/** A number as a bar, with the number in words beside it. */
export function bar(gauge: Attributes, number: string): HTMLElement {
  return h(
    "span",
    { class: "bar" },
    h("meter", { min: 0, ...gauge }),
    h("span", { class: "number" }, number),
  );
}
