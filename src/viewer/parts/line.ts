import { type Child, h } from "../element.ts";

/** Small facts side by side. */
export function line(...facts: readonly Child[]): HTMLElement {
  return h("div", { class: "line" }, facts);
}

/** A remark, quieter than what it stands beside. */
export function note(...texts: readonly Child[]): HTMLElement {
  return h("p", { class: "note" }, texts);
}
