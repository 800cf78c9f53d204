/** Where the reader is: the part of the address behind `#/`. */
export interface Route {
  /** Name of the view, and the id of what it shows. */
  readonly view: string;
  readonly id: string;
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export function routeOf(hash: string): Route {
  const [path = "", query = ""] = split(hash.replace(/^#\/?/u, ""), "?");
  const [view = "", id = ""] = split(path, "/");
  return { view: decoded(view), id: decoded(id), query: new URLSearchParams(query) };
}

/** The address of a view within the page; fields without a value are left out. */
export function linkTo(view: string, id = "", query: Query = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value).toWellFormed()]],
  );
  const asked = fields.length === 0 ? "" : `?${new URLSearchParams(fields)}`;
  return `#/${view}${id === "" ? "" : `/${encodeURIComponent(id.toWellFormed())}`}${asked}`;
}

/** The same place with some fields of the query changed. */
export function linkWith({ view, id, query }: Route, changes: Query): string {
  return linkTo(view, id, { ...Object.fromEntries(query), ...changes });
}

/** How many rows of a list the query passes over. */
export function offsetIn({ query }: Route): number {
  const value = Number(query.get("offset") ?? "0");
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** A text in the query; undefined when it is absent or blank. */
export function textIn({ query }: Route, name: string): string | undefined {
  const value = query.get(name)?.trim() ?? "";
  return value === "" ? undefined : value;
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Typed by hand, with a percent sign that stands for itself.
    return text;
  }
}
