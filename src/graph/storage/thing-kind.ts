/** The two kinds of things in a graph. Each has a table, and a table of its links with sources. */
export type ThingKind = "node" | "edge";

/** Makes a value for each kind, such as the text of a statement. */
export function ofBothKinds<T>(make: (what: ThingKind) => T): Readonly<Record<ThingKind, T>> {
  return { node: make("node"), edge: make("edge") };
}
