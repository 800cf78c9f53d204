import { type Child, h } from "../element.ts";
import { counted } from "../format.ts";
import { linkTo } from "../route.ts";
import { itemList } from "./item-list.ts";

/** An id, or a title in its place, as a link to its record, if the page has a view for such records. */
export function recordLink(id: string, view = viewOfId(id), title?: string): HTMLElement {
  if (view === undefined) return h("code", {}, id);
  return h("a", { href: linkTo(view, id), class: title === undefined ? "id" : undefined }, title ?? id);
}

/** A project as a link to its page; nothing for what belongs to none. */
export function projectLink(project: string | undefined): Child {
  return project !== undefined && h("a", { href: linkTo("project", project) }, project);
}

function viewOfId(id: string): string | undefined {
  const [prefix = ""] = id.split("_", 1);
  return viewsOfIds.get(prefix);
}

const viewsOfIds: ReadonlyMap<string, string> = new Map([
  ["mem", "memory"],
  ["obs", "observation"],
  ["lsn", "lesson"],
  ["act", "action"],
  ["run", "run"],
]);

/** The sources of a derived record, collapsed. */
export function sourceList(unit: string, sources: readonly Child[]): Child {
  if (sources.length === 0) return undefined;
  return h(
    "details",
    {},
    h("summary", {}, `Derived from ${counted(sources.length, unit)}`),
    itemList({ class: "plain" }, sources, (source) => source),
  );
}
