/** The kinds of notes, in the order of the vault's folders. */
export const noteKinds = ["memories", "lessons", "crystals", "sessions"] as const;

export type NoteKind = (typeof noteKinds)[number];
