import * as z from "zod";
import type { Collection } from "../../governance/transfer/collection.ts";
import { FileId, FileTexts, FileTime, RedactedText } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { TableRows } from "../../store/table-rows.ts";
import { forgetCommits, noteFileCommits, renameCommit } from "../sessions/commit-shas.ts";
import { storeForms } from "./file-forms.ts";
import { linkSessions, sessionsLinkedTo, unlinkGone } from "./links.ts";
import { commitRecord } from "./record.ts";
import { storedCase } from "./sha.ts";
import { commits } from "./tables.ts";

const rows = new TableRows(commits, { key: ["sha"] });

const Commit = z.object({
  sha: FileId.transform(storedCase),
  branch: RedactedText.optional(),
  message: RedactedText.optional(),
  sessionIds: FileTexts,
  linkedAt: FileTime,
  repo: RedactedText.optional(),
  author: RedactedText.optional(),
  authoredAt: FileTime.optional(),
  files: FileTexts,
  updatedAt: FileTime.optional(),
  capturedFrom: FileId.optional(),
});

const whole = tableCollection({
  name: "commits",
  rows,
  schema: Commit,
  ignored: ["shortSha"],
  records: async (page, { connection: { sql } }) => {
    const links = await sessionsLinkedTo(
      sql,
      page.map(({ sha }) => sha),
    );
    return page.map((row) => commitRecord(row, links.get(row.sha) ?? []));
  },
  row: ({ sessionIds: _links, branch, message, ...given }) => ({
    ...given,
    // An export writes fields that were never set as empty texts.
    branch: branch || null,
    message: message || null,
    repo: given.repo ?? null,
    author: given.author ?? null,
    authoredAt: given.authoredAt ?? null,
    updatedAt: given.updatedAt ?? given.linkedAt,
    capturedFrom: given.capturedFrom ?? null,
  }),
  changedAt: ({ updatedAt }) => updatedAt,
});

/** Commits with their linked sessions, which are in a table of their own. */
export const commitCollection: Collection = {
  ...whole,
  put: async (writing, given) => {
    const { sql } = writing.tx;
    const inFile = given as z.output<typeof Commit>[];
    const { forms, lengthened } = await storeForms(writing, new Set(inFile.map(({ sha }) => sha)));
    const records = inFile.map((one) => ({
      ...one,
      sha: forms.get(one.sha) ?? one.sha,
      sessionIds: [...new Set(one.sessionIds)],
    }));
    const shas = records.map(({ sha }) => sha);
    const known = await textsOf(sql, shas);
    await whole.put(writing, records);
    const changed = new Set(lengthened.keys());
    for (const [sha, text] of await textsOf(sql, shas)) if (known.get(sha) !== text) changed.add(sha);
    const noted: [string, string][] = [];
    for (const { sha, sessionIds } of records) {
      if (known.has(sha) && writing.strategy === "skip") continue;
      noted.push(...sessionIds.map((id): [string, string] => [sha, id]));
      if (await linkSessions(sql, sha, sessionIds)) changed.add(sha);
    }
    for (const { sha, sessionIds } of inFile) {
      const form = forms.get(sha) ?? sha;
      const shorter = form === sha ? lengthened.get(sha) : sha;
      if (shorter !== undefined) await renameCommit(sql, sessionIds, shorter, form);
    }
    await noteFileCommits(sql, noted);
    return shas.filter((sha) => changed.has(sha)).length;
  },
  clear: async (writing) => {
    const { sql } = writing.tx;
    await forgetCommits(sql, await firstColumn(sql, "SELECT sha FROM commits"));
    const cleared = (await whole.clear?.(writing)) ?? 0;
    await sql.run("DELETE FROM commit_sessions");
    return cleared;
  },
  settle: async ({ tx: { sql }, ground, clearedSessions, warn }) => {
    if (await unlinkGone(sql, clearedSessions, ground.now()))
      warn("commits: links to sessions that are gone were dropped");
  },
};

const bySha = "WHERE sha IN (SELECT value FROM json_each(?))";

/** Stored commits as JSON, by sha, to compare them. */
async function textsOf(sql: Sql, shas: readonly string[]): Promise<Map<string, string>> {
  const found = await rows.select(sql, bySha, [JSON.stringify(shas)]);
  return new Map(found.map((row) => [row.sha, JSON.stringify(row)]));
}
