import { groupPairs } from "../../group-by.ts";
import { type Link, type NoteName, noteName } from "./note.ts";
import { noteKinds } from "./note-kinds.ts";
import { type NoteReading, notesOf } from "./notes.ts";

/** The label of the link back, by the label of the link. */
const backwards: Readonly<Record<string, string>> = {
  "from session": "memory",
  "learned from": "lesson",
  "of session": "crystal",
};

export interface NoteNames {
  readonly nameOf: (id: string) => NoteName | undefined;
  /** Links from other notes, by the id of the record that they lead to. */
  readonly incoming: ReadonlyMap<string, readonly Link[]>;
}

/**
 * The names of all notes, found before any note is written: a link may lead to a note that is written later.
 */
export async function namesIn(reading: NoteReading): Promise<NoteNames> {
  const names = new Map<string, NoteName>();
  const taken = new Set<string>();
  const backlinks: [string, Link][] = [];
  for (const kind of noteKinds) {
    for await (const { id, title, links } of notesOf[kind](reading)) {
      const name = noteName(title, id, (one) => taken.has(one));
      taken.add(name);
      names.set(id, { name, title });
      for (const link of links) {
        const as = backwards[link.as];
        if (as !== undefined) backlinks.push([link.id, { as, id }]);
      }
    }
  }
  return { nameOf: (id) => names.get(id), incoming: groupPairs(backlinks) };
}
