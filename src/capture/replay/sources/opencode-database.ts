import { basename } from "node:path";
import { openForeignDatabase } from "../../../store/foreign-database.ts";
import type { Transcript } from "../transcript.ts";
import { type AgentDatabase, type Reader, readable } from "./agent-database.ts";
import { rootOf } from "./session-roots.ts";

/*
 * OpenCode and its fork Kilo Code keep their conversations in a database: sessions of messages of parts, the last two
 * as JSON. Each session is read as the lines of a transcript: one that tells the session, and one for each message.
 */

/** OpenCode names the databases of its preview versions after their channel. */
const databaseName = /^(opencode|kilo)(?:-[\w.-]+)?\.db$/;

export function isAgentDatabase(path: string): boolean {
  return databaseName.test(basename(path));
}

/** Error: UnreadableTranscript. */
export async function openAgentDatabase(path: string): Promise<AgentDatabase> {
  const database = await readable(() => openForeignDatabase(path));
  const read: Reader = { values: (text, args) => readable(() => database.values(text, args)) };
  try {
    const rows = await read.values("SELECT id, parent_id, directory, time_updated FROM session");
    const parents = new Map(
      rows.map(([id, parent]) => [String(id), parent == null ? undefined : String(parent)]),
    );
    const program = databaseName.exec(basename(path))?.[1];
    const transcripts = rows.map(([id, , directory, changedAt]): Transcript => {
      const session = rootOf(String(id), parents);
      const head = { type: "opencode.session", sessionId: session, cwd: directory };
      const first = session === id ? head : { ...head, agentId: id };
      return {
        path,
        session,
        program,
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
