/** The current view: the part of the address after `#/`. */
export interface Route {
  /** Name of the view, and id of the record it shows. */
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

/** The address of a view; query fields without a value are left out. */
export function linkTo(view: string, id = "", query: Query = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value).toWellFormed()]],
  );
  const asked = fields.length === 0 ? "" : `?${new URLSearchParams(fields)}`;
  return `#/${view}${id === "" ? "" : `/${encodeURIComponent(id.toWellFormed())}`}${asked}`;
}

/** The same address with some query fields changed. */
export function linkWith({ view, id, query }: Route, changes: Query): string {
  return linkTo(view, id, { ...Object.fromEntries(query), ...changes });
}

/** The list offset in the query. */
export function offsetIn({ query }: Route): number {
  const value = Number(query.get("offset") ?? "0");
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** A query field; undefined if it is absent or blank. */
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
    // Typed by hand, with a literal percent sign.
    return text;
  }
}
