import { join } from "node:path";
import * as z from "zod";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";
import type { DryRun } from "../../store/store.ts";
import { presentNotes, removeNote, writeNote } from "./files.ts";
import { openSubfolder } from "./folder.ts";
import { indexText, type Listed } from "./index-note.ts";
import { type Link, type NoteName, noteName, noteText } from "./note.ts";
import { type NoteKind, noteKinds } from "./note-kinds.ts";
import { type NoteReading, notesOf } from "./notes.ts";

export interface VaultServices {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly summaries: Summaries;
}

/** What the job of an export carries. */
export const VaultPayload = z.object({
  /** An absolute path that may be written to. */
  folder: z.string(),
  kinds: z.array(z.enum(noteKinds)),
  project: z.string().optional(),
});

interface VaultWork extends z.output<typeof VaultPayload>, DryRun {
  readonly jobId?: string;
}

export interface VaultExported {
  readonly exported: Record<NoteKind, number>;
  readonly vaultDir: string;
  readonly removed: number;
  readonly errors?: { readonly file: string; readonly error: string }[];
}

/**
 * Brings the notes of a vault up to date with the store, or in a dry run tells what that would write and remove. Files
 * that are not ours stay as they are.
 */
export async function exportVault(
  ground: Ground,
  services: VaultServices,
  { folder, kinds, project, jobId, dryRun }: VaultWork,
): Promise<VaultExported> {
  const { audit, projects, summaries } = services;
  const top = openSubfolder(folder, "memsvc", { dryRun });
  const errors: { file: string; error: string }[] = [];
  const note = (file: string, error: string | undefined) => {
    if (error !== undefined) errors.push({ file, error });
    return error === undefined;
  };
  const exported: Record<NoteKind, number> = { memories: 0, lessons: 0, crystals: 0, sessions: 0 };
  let removed = 0;
  const view = await ground.store.openView();
  try {
    const keys = await projects.readKeys(view.sql, project);
    const isMeant = async (kind: NoteKind, named: string | undefined) => {
      if (keys === undefined) return true;
      if (named === undefined) return kind === "lessons";
      return keys.includes(await projects.presentKey(view.sql, named));
    };
    const reading: NoteReading = { sql: view.sql, ground, summaries, keys };
    const { nameOf, incoming } = await namesIn(reading);
    const listed: Record<NoteKind, Listed[]> = { memories: [], lessons: [], crystals: [], sessions: [] };
    for (const kind of noteKinds) {
      const place = openSubfolder(top, kind, { dryRun });
      const written = new Set<string>();
      for await (const one of kinds.includes(kind) ? notesOf[kind](reading) : []) {
        const name = nameOf(one.id);
        if (name === undefined) continue;
        const path = join(place, `${name.name}.md`);
        const links = [...one.links, ...(incoming.get(one.id) ?? [])];
        written.add(name.name);
        if (note(path, await writeNote(path, noteText({ ...one, links }, nameOf), { dryRun })))
          exported[kind] += 1;
      }
      for await (const present of presentNotes(place)) {
        const isGone = kinds.includes(kind) && !written.has(present.name);
        const path = join(place, `${present.name}.md`);
        if (!isGone || !(await isMeant(kind, present.project))) listed[kind].push(present);
        else if (note(path, await removeNote(path, { dryRun }))) removed += 1;
      }
    }
    const index = join(top, "index.md");
    note(index, await writeNote(index, indexText(listed), { dryRun }));
  } finally {
    await view.close();
  }
  const answer = { exported, vaultDir: folder, removed, ...(errors.length === 0 ? {} : { errors }) };
  if (dryRun === true) return answer;
  await ground.store.write((tx) =>
    audit.record(tx, {
      operation: "vault_export",
      functionId: "vault.export",
      targetIds: [],
      details: {
        path: folder,
        ...exported,
        removed,
        errors: errors.length,
        ...(project === undefined ? {} : { project }),
        ...(jobId === undefined ? {} : { jobId }),
      },
    }),
  );
  return answer;
}

/** What a link leads back as. */
const backwards: Readonly<Record<string, string>> = {
  "from session": "memory",
  "learned from": "lesson",
  "of session": "crystal",
};

interface Names {
  readonly nameOf: (id: string) => NoteName | undefined;
  /** Links to a record from others, by its id. */
  readonly incoming: ReadonlyMap<string, readonly Link[]>;
}

/** What every note is called: links lead to notes that are yet to be written. */
async function namesIn(reading: NoteReading): Promise<Names> {
  const names = new Map<string, NoteName>();
  const taken = new Set<string>();
  const incoming = new Map<string, Link[]>();
  for (const kind of noteKinds) {
    for await (const { id, title, links } of notesOf[kind](reading)) {
      const name = noteName(title, id, (one) => taken.has(one));
      taken.add(name);
      names.set(id, { name, title });
      for (const link of links) {
        const as = backwards[link.as];
        if (as === undefined) continue;
        const known = incoming.get(link.id);
        if (known === undefined) incoming.set(link.id, [{ as, id }]);
        else known.push({ as, id });
      }
    }
  }
  return { nameOf: (id) => names.get(id), incoming };
}
