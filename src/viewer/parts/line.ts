import { type Child, h } from "../element.ts";

/** Small facts side by side; a plain text is wrapped in an element of its own. */
export function line(...facts: readonly Child[]): HTMLElement {
  return h("div", { class: "line" }, apart(facts));
}

function apart(fact: Child): Child {
  if (typeof fact === "string") return h("span", {}, fact);
  return Array.isArray(fact) ? fact.map(apart) : fact;
}

/** A remark in a less prominent style. */
export function note(...texts: readonly Child[]): HTMLElement {
  return h("p", { class: "note" }, texts);
}
