import { readFileSync } from "node:fs";
import { z } from "zod";
import type { EvaluationSet } from "./pools.ts";

/** Ids and texts of notes; questions, each with the ids of the notes that answer it. */
const Notes = z.object({
  notes: z.array(z.tuple([z.string(), z.string()])),
  questions: z.record(z.string(), z.array(z.tuple([z.string(), z.array(z.string())]))),
});

/**
 * 160 notes of six made-up projects, and 360 questions of four kinds, each kind as a set: `exact` repeats most words of
 * the note, `mixed` shares one word with it, `synonym` none, and `kind` asks for a kind of tool of which the note only
 * has the name. They were written without looking at the words that memsvc relates to each other.
 */
export function readNotesSets(): EvaluationSet[] {
  const file = new URL("notes.json", import.meta.url);
  const { notes, questions } = Notes.parse(JSON.parse(readFileSync(file, "utf8")));
  const docs = notes.map(([id, text]): [string, string, string] => [id, "", text]);
  return Object.entries(questions).map(([kind, queries]) => ({
    name: `notes-${kind}`,
    pools: [{ docs, queries }],
  }));
}
