import { basename } from "node:path";
import { sqliteCode } from "../../store/faults.ts";
import { openForeignDatabase } from "../../store/foreign-database.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import { type Transcript, UnreadableTranscript } from "./transcript.ts";

/*
 * OpenCode and its fork Kilo Code keep their conversations in a database: sessions of messages of parts, the last two
 * as JSON. Each session is read as the lines of a transcript: one that tells the session, and one for each message.
 */

/** OpenCode names the databases of its preview versions after their channel. */
const databaseName = /^(?:opencode|kilo)(?:-[\w.-]+)?\.db$/;

export function isAgentDatabase(path: string): boolean {
  return databaseName.test(basename(path));
}

export interface AgentDatabase {
  /** Its sessions; those of sub-agents are apart from the sessions that started them. */
  readonly transcripts: readonly Transcript[];
  close(): void;
}

type Reader = Pick<Sql, "values">;

/** Error: UnreadableTranscript. */
export async function openAgentDatabase(path: string): Promise<AgentDatabase> {
  const database = await readable(() => openForeignDatabase(path));
  const read: Reader = { values: (text, args) => readable(() => database.values(text, args)) };
  try {
    const rows = await read.values("SELECT id, parent_id, directory, time_updated FROM session");
    const parents = new Map(rows.map(([id, parent]) => [id, parent ?? undefined]));
    const transcripts = rows.map(([id, , directory, changedAt]): Transcript => {
      const session = rootOf(id, parents);
      const head = { type: "opencode.session", sessionId: session, cwd: directory };
      const first = session === id ? head : { ...head, agentId: id };
      return {
        path,
        session: String(session),
        changedAt: Number(changedAt),
        lines: () => sessionLines(read, String(id), first),
      };
    });
    return { transcripts, close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function readable<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    throw new UnreadableTranscript(`it cannot be read: ${String(error)}`, { cause: error });
  }
}

/** The session that the user talked to. */
function rootOf(id: SqlValue | undefined, parents: ReadonlyMap<SqlValue | undefined, SqlValue | undefined>) {
  const seen = new Set([id]);
  let root = id;
  for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) {
    // A parent may have been deleted; a cycle can only come from damage.
    if (seen.has(parent) || !parents.has(parent)) break;
    seen.add(parent);
    root = parent;
  }
  return root;
}

async function* sessionLines(read: Reader, session: string, first: object): AsyncGenerator<string> {
  yield JSON.stringify(first);
  const messages = await read.values(
    "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id",
    [session],
  );
  for (const [id = null] of messages) {
    const [message] = await read.values("SELECT data FROM message WHERE id = ?", [id]);
    // The session may be in use.
    if (message === undefined) continue;
    const parts = await read.values("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", [id]);
    const shown = parts.map(([part = null, data = null]) => `{"id":${JSON.stringify(part)},"data":${data}}`);
    yield `{"type":"opencode.message","id":${JSON.stringify(id)},"data":${message[0]},"parts":[${shown.join()}]}`;
  }
}
