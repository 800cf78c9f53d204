import { type Child, h } from "../element.ts";
import { plain } from "../format.ts";

/** A word that tells of which kind something is. */
export function kindChip(kind: string): HTMLElement {
  return h("span", { class: "chip kind", "data-kind": kind }, plain(kind));
}

/** How something stands; colours set apart what is well and what needs a look. */
export function statusChip(status: string): HTMLElement {
  return h("span", { class: "chip status", "data-status": status }, plain(status));
}

/** Words that something is tagged with. */
export function tagChips(tags: readonly string[], label: string): Child {
  if (tags.length === 0) return undefined;
  const items = tags.map((tag) => h("li", { class: "chip" }, tag));
  return h("ul", { class: "chips", "aria-label": label }, items);
}
