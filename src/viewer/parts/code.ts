import { type Child, h } from "../element.ts";

export function command(line: string): HTMLElement {
  return h("code", { class: "command" }, line);
}

export function pathList(files: readonly string[], label: string): Child {
  if (files.length === 0) return undefined;
  return h(
    "ul",
    { class: "paths", "aria-label": label },
    files.map((file) => h("li", {}, h("code", {}, file))),
  );
}
