import { type Child, h } from "../element.ts";

/** Small facts side by side; a text gets an element of its own. */
export function line(...facts: readonly Child[]): HTMLElement {
  return h("div", { class: "line" }, apart(facts));
}

function apart(fact: Child): Child {
  if (typeof fact === "string") return h("span", {}, fact);
  return Array.isArray(fact) ? fact.map(apart) : fact;
}

/** A remark, quieter than what it stands beside. */
export function note(...texts: readonly Child[]): HTMLElement {
  return h("p", { class: "note" }, texts);
}
