import { join } from "node:path";
import * as z from "zod";
import type { Projects } from "../../capture/projects/projects.ts";
import { AskedBy, type Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";
import type { DryRun } from "../../store/store.ts";
import type { VaultExported } from "./answers.ts";
import { presentNotes, removeNote, removeUnfinishedNotes, writeNote } from "./files.ts";
import { openSubfolder } from "./folder.ts";
import { indexText, type Listed } from "./index-note.ts";
import { noteText } from "./note.ts";
import { type NoteKind, noteKinds } from "./note-kinds.ts";
import { type NoteNames, namesIn } from "./note-names.ts";
import { type NoteReading, notesOf } from "./notes.ts";
import { projectNames } from "./project-names.ts";

export interface VaultServices {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly summaries: Summaries;
}

/** The payload of an export job. */
export const VaultPayload = z.object({
  /** An absolute path, already checked for writing. */
  folder: z.string(),
  kinds: z.array(z.enum(noteKinds)),
  project: z.string().optional(),
  by: AskedBy.optional(),
});

interface VaultWork extends z.output<typeof VaultPayload>, DryRun {
  readonly jobId?: string;
}

interface Progress {
  readonly exported: Record<NoteKind, number>;
  removed: number;
  readonly errors: { readonly file: string; readonly error: string }[];
}

/** The folder for the notes of one kind. */
interface Shelf extends DryRun {
  readonly kind: NoteKind;
  readonly place: string;
  readonly progress: Progress;
}

/**
 * Updates the notes of a vault from the store; a dry run tells which notes it would write and remove. Files
 * that memsvc did not write stay as they are.
 */
export async function exportVault(
  ground: Ground,
  { audit, projects, summaries }: VaultServices,
  { folder, kinds, project, by, jobId, dryRun }: VaultWork,
): Promise<VaultExported> {
  const top = openSubfolder(folder, "memsvc", { dryRun });
  const progress: Progress = {
    exported: { memories: 0, lessons: 0, crystals: 0, sessions: 0 },
    removed: 0,
    errors: [],
  };
  const view = await ground.store.openView();
  try {
    const keys = await projects.readKeys(view.sql, project);
    const isMeant = async (kind: NoteKind, named: string | undefined) => {
      if (keys === undefined) return true;
      if (named === undefined) return kind === "lessons";
      return keys.includes(await projects.presentKey(view.sql, named));
    };
    const projectOf = projectNames(projects, view.sql);
    const notedSessions = await idsOfNotes(openSubfolder(top, "sessions", { dryRun }));
    const reading: NoteReading = { sql: view.sql, ground, summaries, projectOf, keys, notedSessions };
    const names = await namesIn(reading);
    const listed: Record<NoteKind, Listed[]> = { memories: [], lessons: [], crystals: [], sessions: [] };
    for (const kind of noteKinds) {
      const place = openSubfolder(top, kind, { dryRun });
      if (dryRun !== true) await removeUnfinishedNotes(place);
      const shelf: Shelf = { kind, place, progress, dryRun };
      const written = kinds.includes(kind) ? await writeNotes(shelf, reading, names) : undefined;
      for await (const present of presentNotes(shelf.place)) {
        const isGone = written !== undefined && !written.has(present.name);
        if (isGone && (await isMeant(kind, present.project))) await takeAway(shelf, present.name);
        else listed[kind].push(present);
      }
    }
    if (dryRun !== true) await removeUnfinishedNotes(top);
    const index = join(top, "index.md");
    isDone(progress, index, await writeNote(index, indexText(listed), { dryRun }));
  } finally {
    await view.close();
  }
  const { exported, removed, errors } = progress;
  const answer = { exported, vaultDir: folder, removed, ...(errors.length === 0 ? {} : { errors }) };
  if (dryRun === true) return answer;
  await ground.store.write((tx) =>
    audit.recordUnscoped(tx, by, {
      operation: "vault_export",
      functionId: "vault.export",
      targetIds: [],
      details: { path: folder, ...exported, removed, errors: errors.length, project, jobId },
    }),
  );
  return answer;
}

async function idsOfNotes(place: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of presentNotes(place)) if (id !== undefined) ids.push(id);
  return ids;
}

/** Returns the names of the notes that belong in the folder, including those that could not be written. */
async function writeNotes(
  { kind, place, progress, dryRun }: Shelf,
  reading: NoteReading,
  { nameOf, incoming }: NoteNames,
): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  for await (const one of notesOf[kind](reading)) {
    const name = nameOf(one.id);
    if (name === undefined) continue;
    const path = join(place, `${name.name}.md`);
    const links = [...one.links, ...(incoming.get(one.id) ?? [])];
    written.add(name.name);
    if (isDone(progress, path, await writeNote(path, noteText({ ...one, links }, nameOf), { dryRun })))
      progress.exported[kind] += 1;
  }
  return written;
}

async function takeAway({ place, progress, dryRun }: Shelf, name: string): Promise<void> {
  const path = join(place, `${name}.md`);
  if (isDone(progress, path, await removeNote(path, { dryRun }))) progress.removed += 1;
}

function isDone({ errors }: Progress, file: string, error: string | undefined): boolean {
  if (error !== undefined) errors.push({ file, error });
  return error === undefined;
}
