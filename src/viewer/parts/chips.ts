import { type Child, h } from "../element.ts";
import { plain } from "../format.ts";

/** A chip with the kind of a record. */
export function kindChip(kind: string): HTMLElement {
  return h("span", { class: "chip kind", "data-kind": kind }, plain(kind));
}

/** A chip with a status; its colour tells healthy ones from those that need attention. */
export function statusChip(status: string): HTMLElement {
  return h("span", { class: "chip status", "data-status": status }, plain(status));
}

/** Chips with tags. */
export function tagChips(tags: readonly string[], label: string): Child {
  if (tags.length === 0) return undefined;
  const items = tags.map((tag) => h("li", { class: "chip" }, tag));
  return h("ul", { class: "chips", "aria-label": label }, items);
}
