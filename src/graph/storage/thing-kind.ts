/** What the graph consists of: of each kind there is a table of its own, and one of its links with sources. */
export type ThingKind = "node" | "edge";

/** Something of each kind, such as the text of a statement. */
export function ofBothKinds<T>(make: (what: ThingKind) => T): Readonly<Record<ThingKind, T>> {
  return { node: make("node"), edge: make("edge") };
}
