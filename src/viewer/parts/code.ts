import { type Child, h } from "../element.ts";
import { itemList } from "./item-list.ts";

export function command(line: string): HTMLElement {
  return h("code", { class: "command" }, line);
}

export function pathList(files: readonly string[], label: string): Child {
  if (files.length === 0) return undefined;
  return itemList({ class: "paths", "aria-label": label }, files, (file) => h("code", {}, file));
}
