import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import type { Line } from "./transcripts.ts";

/** A conversation as Cursor stores it. Times are milliseconds since 1970. */
export interface Composer {
  readonly id: string;
  readonly changedAt: number;
  /** The conversation that started this sub-agent. */
  readonly parent?: string;
  /** Further fields of the conversation. */
  readonly data?: Line;
  /** By their ids; null for one that Cursor has deleted. */
  readonly bubbles: Readonly<Record<string, Line | null>>;
}

const tables = `
  CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
  CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);`;
/** Of the later versions only. */
const headTable = `
  CREATE TABLE IF NOT EXISTS composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,
    lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT);`;

/** Writes the conversations into a database, and leaves it open, as Cursor does while it runs. */
export function cursorWrites(
  path: string,
  composers: readonly Composer[],
  { hasHeads = true } = {},
): InstanceType<typeof Database> {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec(`PRAGMA journal_mode = WAL; ${tables} ${hasHeads ? headTable : ""}`);
  const put = (key: string, value: unknown) =>
    database
      .prepare("INSERT INTO cursorDiskKV VALUES (?, ?)")
      .run([key, value === null ? null : JSON.stringify(value)]);
  for (const { id, changedAt, parent, data, bubbles } of composers) {
    const headers = Object.entries(bubbles).map(([bubbleId, bubble]) => ({ bubbleId, type: bubble?.type }));
    const times = { createdAt: changedAt, lastUpdatedAt: changedAt };
    put(`composerData:${id}`, {
      ...{ _v: 18, composerId: id, fullConversationHeadersOnly: headers, ...times, ...data },
    });
    for (const [bubble, content] of Object.entries(bubbles)) put(`bubbleId:${id}:${bubble}`, content);
    if (!hasHeads) continue;
    const value = { composerId: id, ...(parent && { subagentInfo: { parentComposerId: parent } }) };
    database
      .prepare("REPLACE INTO composerHeaders (composerId, lastUpdatedAt, value) VALUES (?, ?, ?)")
      .run([id, changedAt, JSON.stringify(value)]);
  }
  return database;
}
