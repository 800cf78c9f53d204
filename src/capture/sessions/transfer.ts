import { setImmediate as nextTurn } from "node:timers/promises";
import { asc, sql as text } from "drizzle-orm";
import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedText,
  RedactedTexts,
  united,
} from "../../governance/transfer/file-fields.ts";
import { projectKeyOf } from "../../governance/transfer/project-fields.ts";
import { importedTable } from "../../governance/transfer/table-collection.ts";
import { isContainer } from "../../json/is-object.ts";
import type { Paging } from "../../store/page.ts";
import type { Connection } from "../../store/store.ts";
import { TableRows } from "../../store/table-rows.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { knownForms } from "../commits/file-forms.ts";
import { commitsLinkedTo, linkedSessions } from "../commits/links.ts";
import {
  longestSessionName,
  longestSessionSummary,
  type SessionRow,
  SessionStatus,
  sessionRecord,
} from "./record.ts";
import { sessions } from "./tables.ts";

const pageSize = 500;

const SessionInFile = z.object({
  id: FileId,
  project: FileText.min(1).refine((name) => name.trim() !== "", "must not be blank"),
  projectKey: FileText.min(1).optional(),
  cwd: FileText.default(""),
  startedAt: FileTime,
  endedAt: FileTime.optional(),
  status: SessionStatus.optional(),
  agentId: FileId.optional(),
  summary: z.union([RedactedText, z.record(z.string(), z.unknown())]).optional(),
  firstPrompt: RedactedText.optional(),
  commitShas: FileTexts,
  updatedAt: FileTime.optional(),
  tags: RedactedTexts,
  model: RedactedText.optional(),
});

export const sessionCollection = importedTable({
  name: "sessions",
  rows: new TableRows(sessions, { key: ["id"] }),
  schema: SessionInFile,
  ignored: ["observationCount", "summaryDetail"],
  row: async (given, { tx, projects }): Promise<SessionRow> => {
    const status = given.status ?? (given.endedAt === undefined ? "active" : "completed");
    const updatedAt = given.updatedAt ?? given.endedAt ?? given.startedAt;
    return {
      id: given.id,
      project: given.project,
      projectKey:
        given.projectKey ??
        (await projects.writeKey(tx.sql, given.project, given.cwd === "" ? undefined : given.cwd)),
      cwd: given.cwd,
      agentId: given.agentId ?? null,
      status,
      startedAt: given.startedAt,
      endedAt: status === "active" ? null : (given.endedAt ?? updatedAt),
      updatedAt,
      observationCount: 0,
      summary: summaryOf(given.summary),
      firstPrompt:
        given.firstPrompt === undefined ? null : cutCodePoints(given.firstPrompt, longestSessionName),
      model: given.model ?? null,
      commitShas: united(await knownForms(tx.sql, given.commitShas), await commitsLinkedTo(tx.sql, given.id)),
      lastStopAt: null,
      lastStopSeq: null,
      tags: given.tags,
    };
  },
  changedAt: ({ updatedAt }) => updatedAt,
  unite: (kept, other) => ({
    ...kept,
    commitShas: united(kept.commitShas, other.commitShas),
    tags: united(kept.tags, other.tags),
    observationCount: Math.max(kept.observationCount, other.observationCount),
    lastStopAt: kept.lastStopAt ?? other.lastStopAt,
    lastStopSeq: kept.lastStopSeq ?? other.lastStopSeq,
  }),
  onWritten: async (rows, { touchedProjects }) => {
    for (const { projectKey } of rows) touchedProjects.add(projectKey);
  },
  onClear: async ({ tx: { sql }, clearedSessions }) => {
    for (const id of await linkedSessions(sql)) clearedSessions.add(id);
  },
  settle: async ({ tx: { sql } }) => {
    for (let after = ""; ; await nextTurn()) {
      const page = await sql.values("SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT ?", [
        after,
        recountedAtOnce,
      ]);
      const last = page.at(-1)?.[0];
      if (last === undefined) return;
      await sql.run(recount, [after, String(last)]);
      after = String(last);
    }
  },
  nested: {
    collection: "summaries",
    of: (row) => {
      const detail = row.summaryDetail ?? row.summary;
      if (!isContainer(detail)) return [];
      const createdAt = row.endedAt ?? row.updatedAt ?? row.startedAt;
      return [{ sessionId: row.id, project: row.project, createdAt, ...detail }];
    },
  },
});

const recountedAtOnce = 100;
const recount = `UPDATE sessions SET observation_count = stored.n
  FROM (SELECT s.id, (SELECT count(*) FROM observations WHERE session_id = s.id) AS n FROM sessions AS s
    WHERE s.id > ?1 AND s.id <= ?2) AS stored
  WHERE stored.id = sessions.id AND observation_count <> stored.n`;

function summaryOf(given: string | Readonly<Record<string, unknown>> | undefined): string | null {
  if (typeof given === "string") return given;
  const narrative = given?.narrative;
  return typeof narrative === "string" ? cutCodePoints(redactText(narrative), longestSessionSummary) : null;
}

/** Sessions in the order of their start, page by page. */
export async function* sessionPages(
  { orm }: Connection,
  page: Paging | undefined,
): AsyncGenerator<SessionRow[]> {
  let left = page?.limit ?? Number.POSITIVE_INFINITY;
  let last: SessionRow | undefined;
  do {
    const size = Math.min(pageSize, left);
    const rows: SessionRow[] = await orm
      .select()
      .from(sessions)
      .where(last === undefined ? undefined : after(last))
      .orderBy(asc(sessions.startedAt), asc(sessions.id))
      .limit(size)
      .offset(last === undefined ? (page?.offset ?? 0) : 0);
    if (rows.length > 0) yield rows;
    left -= rows.length;
    last = rows.length < size || left === 0 ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function after({ startedAt, id }: SessionRow) {
  return text`(${sessions.startedAt}, ${sessions.id}) > (${startedAt}, ${id})`;
}

function sessionInFile(row: SessionRow): object {
  return { ...sessionRecord(row), ...projectKeyOf(row) };
}

/** The session as an export has it. */
export function sessionText(row: SessionRow): string {
  return JSON.stringify(sessionInFile(row));
}

export async function countAllSessions({ orm }: Connection): Promise<number> {
  return orm.$count(sessions);
}
