import { type Child, h } from "../element.ts";
import { counted, plain, shownAgo, shownMoment } from "../format.ts";
import { linkTo } from "../route.ts";

/** A time as people say it, with the moment itself for who points at it. */
export function timeAgo(iso: string): HTMLElement {
  const time = Date.parse(iso);
  return h("time", { datetime: iso, title: `${shownMoment(time)} (${iso})` }, shownAgo(time, Date.now()));
}

export function timeOf(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, shownMoment(Date.parse(iso)));
}

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

/** A part of one as a bar that says its number. */
export function bar(value: number, label: string): HTMLElement {
  const shown = value.toFixed(2);
  return h(
    "span",
    { class: "bar", title: `${label} ${shown} of 1` },
    h("meter", { min: 0, max: 1, value, "aria-label": label }),
    h("span", { class: "number", "aria-hidden": "true" }, shown),
  );
}

/** Names and values; what is absent is left out. */
export function facts(rows: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return h(
    "dl",
    { class: "facts" },
    shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export function command(line: string): HTMLElement {
  return h("code", { class: "command" }, line);
}

/** An id that leads to what it names, where the page shows such records. */
export function recordLink(id: string, view = viewOfId(id)): HTMLElement {
  return view === undefined ? h("code", {}, id) : h("a", { href: linkTo(view, id), class: "id" }, id);
}

function viewOfId(id: string): string | undefined {
  const [prefix = ""] = id.split("_", 1);
  return viewsOfIds.get(prefix);
}

const viewsOfIds: ReadonlyMap<string, string> = new Map([
  ["mem", "memory"],
  ["obs", "observation"],
  ["act", "action"],
  ["run", "run"],
]);

/** What a record was drawn from, to be unfolded. */
export function drawnFrom(unit: string, sources: readonly Child[]): Child {
  if (sources.length === 0) return undefined;
  const items = sources.map((source) => h("li", {}, source));
  return h(
    "details",
    {},
    h("summary", {}, `Drawn from ${counted(sources.length, unit)}`),
    h("ul", { class: "plain" }, items),
  );
}

/** A part of a page under a heading of its own. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", { "aria-label": title }, h("h2", {}, title), children);
}

export function paths(files: readonly string[], label: string): Child {
  if (files.length === 0) return undefined;
  return h(
    "ul",
    { class: "paths", "aria-label": label },
    files.map((file) => h("li", {}, h("code", {}, file))),
  );
}
