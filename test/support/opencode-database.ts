import Database from "libsql";
import type { Line } from "./transcripts.ts";

/** A session as OpenCode and Kilo Code store it. Times are milliseconds since 1970. */
export interface OpenCodeSession {
  readonly id: string;
  /** The session that started this sub-agent. */
  readonly parent?: string;
  readonly changedAt: number;
  readonly messages: readonly { readonly data: Line; readonly parts: readonly Line[] }[];
}

/** The columns that OpenCode 1.18 has and memsvc reads. */
const schema = `
  CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);`;

/** Writes the sessions into a database, in place of what it had of them, and leaves it open, as OpenCode does while it runs. */
export function openCodeWrites(
  path: string,
  sessions: readonly OpenCodeSession[],
): InstanceType<typeof Database> {
  const database = new Database(path);
  database.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  const put = (table: string, values: readonly (string | number | null)[]) =>
    database.prepare(`REPLACE INTO ${table} VALUES (${values.map(() => "?").join()})`).run([...values]);
  for (const { id, parent = null, changedAt, messages } of sessions) {
    put("session", [id, parent, "/home/dev/shop", changedAt]);
    for (const [at, { data, parts }] of messages.entries()) {
      const message = `msg_${id}_${at}`;
      put("message", [message, id, Number((data.time as { created: number }).created), JSON.stringify(data)]);
      for (const [place, part] of parts.entries())
        put("part", [`prt_${id}_${at}_${place}`, message, id, JSON.stringify(part)]);
    }
  }
  return database;
}
