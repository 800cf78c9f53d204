import { everyone } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { crystalRows } from "../../knowledge/crystals/rows.ts";
import { lessonRecord } from "../../knowledge/lessons/record.ts";
import { lessonRows } from "../../knowledge/lessons/rows.ts";
import { liveMemories } from "../../knowledge/memories/live-memories.ts";
import { memoryRecord } from "../../knowledge/memories/record.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";
import { timeText } from "../../operation/fields.ts";
import { ofProjectsOrAll } from "../../store/of-projects.ts";
import type { Sql } from "../../store/sql.ts";
import { firstLine } from "../../text/first-line.ts";
import type { Link, Note } from "./note.ts";
import type { NoteKind } from "./note-kinds.ts";
import type { ProjectNames } from "./project-names.ts";

const mostSessions = 500;
const pageSize = 500;
const longestTitle = 80;

/** What notes are read from. */
export interface NoteReading {
  readonly sql: Sql;
  readonly ground: Ground;
  readonly summaries: Summaries;
  readonly projectOf: ProjectNames;
  /** The keys of the only project to export; undefined for all projects. */
  readonly keys: readonly string[] | undefined;
  /** The ids of sessions that have a note already, which they keep. */
  readonly notedSessions: readonly string[];
}

/** The notes of each kind, in the order of the vault's folders. */
export const notesOf: Readonly<Record<NoteKind, (reading: NoteReading) => AsyncIterable<Note>>> = {
  memories: memoryNotes,
  lessons: lessonNotes,
  crystals: crystalNotes,
  sessions: sessionNotes,
};

async function* memoryNotes({ sql, ground, keys, projectOf }: NoteReading): AsyncGenerator<Note> {
  const now = ground.now();
  for await (const { row, earlier } of liveMemories(sql, keys, now)) {
    const { strength, createdAt, updatedAt } = memoryRecord(row, now);
    yield {
      id: row.id,
      title: row.title,
      project: await projectOf(row),
      values: {
        type: row.type,
        tags: row.concepts.map(tag),
        files: row.files,
        strength,
        version: row.version,
        created: createdAt,
        updated: updatedAt,
      },
      text: row.content,
      links: [
        ...Array.from(earlier, ([id, title]): Link => ({ as: "supersedes", id, title })),
        ...linked("related to", row.relatedIds),
        ...linked("from session", row.sessionIds),
      ],
    };
  }
}

async function* lessonNotes({ sql, ground, keys, projectOf }: NoteReading): AsyncGenerator<Note> {
  const { lessonDecayEnabled } = ground.settings;
  const wanted = {
    // A lesson without a project holds for all projects.
    text: `deleted = 0 AND (project_key IS NULL OR ${ofProjectsOrAll})`,
    args: [keys === undefined ? null : JSON.stringify(keys)],
  };
  for await (const page of lessonRows.pages(sql, pageSize, wanted)) {
    for (const row of page) {
      const { confidence, createdAt, updatedAt } = lessonRecord(row, ground.now(), lessonDecayEnabled);
      yield {
        id: row.id,
        title: firstLine(row.content, longestTitle),
        project: await projectOf(row),
        values: {
          type: "lesson",
          tags: row.tags.map(tag),
          strength: confidence,
          created: createdAt,
          updated: updatedAt,
        },
        text: [row.content, row.context].filter((part) => part !== "").join("\n\n"),
        links: linked("learned from", row.sourceIds),
      };
    }
  }
}

async function* crystalNotes({ sql, keys, projectOf }: NoteReading): AsyncGenerator<Note> {
  const wanted = {
    text: ofProjectsOrAll,
    args: [keys === undefined ? null : JSON.stringify(keys)],
  };
  for await (const page of crystalRows.pages(sql, pageSize, wanted)) {
    for (const row of page) {
      const created = timeText(row.createdAt);
      yield {
        id: row.id,
        title: firstLine(row.narrative, longestTitle),
        project: await projectOf(row),
        values: {
          type: "crystal",
          tags: row.tags.map(tag),
          files: row.filesAffected,
          created,
          updated: created,
        },
        text: [row.narrative, ...listed("Outcomes", row.keyOutcomes), ...listed("Lessons", row.lessons)].join(
          "\n\n",
        ),
        links: row.sessionId === null ? [] : linked("of session", [row.sessionId]),
      };
    }
  }
}

async function* sessionNotes({
  summaries,
  keys,
  projectOf,
  notedSessions,
}: NoteReading): AsyncGenerator<Note> {
  const view = { keys, filter: everyone };
  const newest = await summaries.newest(view, mostSessions);
  const known = new Set(newest.map(({ sessionId }) => sessionId));
  const older = notedSessions.filter((id) => !known.has(id));
  for (const row of [...newest, ...(await summaries.among(older, view))]) {
    yield {
      id: row.sessionId,
      title: row.title,
      project: await projectOf(row),
      values: {
        type: "session",
        tags: row.concepts.map(tag),
        files: row.filesModified,
        created: timeText(row.createdAt),
        updated: timeText(row.createdAt),
      },
      text: [row.narrative, ...listed("Decisions", row.keyDecisions)].join("\n\n"),
      links: [],
    };
  }
}

/** A heading with its list of items; nothing where there are no items. */
function listed(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${heading}`, items.map((item) => `- ${item}`).join("\n")];
}

function linked(as: string, ids: readonly string[]): Link[] {
  return ids.map((id) => ({ as, id }));
}

/** Vault programs do not allow spaces in tags. */
function tag(concept: string): string {
  return concept.replace(/\s+/gu, "-");
}
