import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isText } from "../../../json/is-text.ts";
import { openForeignDatabase } from "../../../store/foreign-database.ts";
import type { SqlValue } from "../../../store/sql.ts";
import { type Transcript, UnreadableTranscript } from "../transcript.ts";
import { objectOf, textOf } from "../transcript-line.ts";
import { type AgentDatabase, type Reader, readable } from "./agent-database.ts";
import { folderOfWorkspace } from "./chat-session.ts";
import { type ComposerHead, composerLines } from "./composer.ts";
import { jsonValue, listOf } from "./json-value.ts";
import { rootOf } from "./session-roots.ts";

/*
 * Cursor keeps its conversations ("composers") in the database of its settings, as JSON under keys:
 * `composerData:<id>` lists the bubbles of a conversation in their order, and `bubbleId:<id>:<bubble>` is one of them.
 * The database reaches gigabytes, so that it is only read by keys and ranges of keys. Later versions have a table of
 * the conversations, with the folder that was open and the parent of a sub-agent; earlier ones tell the folder in the
 * databases of the workspaces.
 */

/** VS Code, and other editors made from it, have a database of this name without conversations. */
export function isCursorDatabase(path: string): boolean {
  return basename(path) === "state.vscdb" && basename(dirname(path)) === "globalStorage";
}

/** Error: UnreadableTranscript. */
export async function openCursorDatabase(path: string): Promise<AgentDatabase> {
  const database = await readable(() => openForeignDatabase(path));
  const read: Reader = { values: (text, args) => readable(() => database.values(text, args)) };
  try {
    return { transcripts: await transcriptsIn(path, read), close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

const listComposers =
  "SELECT substr(key, 14) FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'";

async function transcriptsIn(path: string, read: Reader): Promise<Transcript[]> {
  const tables = new Set(
    (await read.values("SELECT name FROM sqlite_schema WHERE type = 'table'")).map(([name]) => name),
  );
  if (!tables.has("cursorDiskKV")) return [];
  const listed = tables.has("composerHeaders") ? await listedComposers(read) : new Map<string, Listed>();
  const folders = workspaceFolders(path);
  const heads = new Map<string, ComposerHead>();
  for (const [id] of await read.values(listComposers)) {
    // Each may be large.
    await setImmediate();
    const head = await headOf(read, String(id), listed.get(String(id)));
    if (head !== undefined) heads.set(head.id, head);
  }
  const parents = new Map([...heads].map(([id, { parent }]) => [id, parent]));
  return [...heads.values()].map((head): Transcript => {
    const session = rootOf(head.id, parents);
    const lines = () => composerLines(read, { ...head, session }, () => folders.of(head));
    return { path, session, changedAt: head.changedAt, lines };
  });
}

interface Listed {
  readonly changedAt: SqlValue | undefined;
  readonly workspace: SqlValue | undefined;
  readonly value: unknown;
}

async function listedComposers(read: Reader): Promise<Map<string, Listed>> {
  const rows = await read.values(
    "SELECT composerId, workspaceId, lastUpdatedAt, CAST(value AS TEXT) FROM composerHeaders",
  );
  return new Map(
    rows.map(([id, workspace, changedAt, value]) => [
      String(id),
      { changedAt, workspace, value: jsonValue(value) },
    ]),
  );
}

const headFields = [
  ...["createdAt", "lastUpdatedAt", "status", "workspaceIdentifier", "subagentInfo"],
  ...["fullConversationHeadersOnly[0]", "conversation[0]"],
];
const selectHead = `SELECT iif(json_valid(value), json_extract(value, ${headFields.map((field) => `'$.${field}'`).join()}), NULL)
  FROM (SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ?)`;

/** Undefined for a conversation in which nothing was said. */
async function headOf(
  read: Reader,
  id: string,
  listed: Listed | undefined,
): Promise<ComposerHead | undefined> {
  const [row] = await read.values(selectHead, [`composerData:${id}`]);
  const [createdAt, lastUpdatedAt, status, ownWorkspace, ownInfo, firstHeader, firstBubble] = listOf(
    jsonValue(row?.[0]),
  );
  if (firstHeader == null && firstBubble == null) return undefined;
  const { workspaceIdentifier: listedWorkspace, subagentInfo: listedInfo } = objectOf(listed?.value);
  const workspace = objectOf(ownWorkspace ?? listedWorkspace);
  const { fsPath, path } = objectOf(workspace.uri);
  const parent = objectOf(ownInfo ?? listedInfo).parentComposerId;
  return {
    id,
    status,
    createdAt,
    changedAt: [listed?.changedAt, lastUpdatedAt, createdAt].map(Number).find((time) => time > 0) ?? 0,
    folder: [fsPath, path].find(isText),
    workspace: [workspace.id, listed?.workspace].find(isText),
    parent: isText(parent) ? parent : undefined,
  };
}

interface Folders {
  of(composer: Pick<ComposerHead, "id" | "folder" | "workspace">): Promise<string | undefined>;
}

/** The folders that were open: told with the conversation, by its workspace, or by the workspace that lists it. */
function workspaceFolders(path: string): Folders {
  const storage = join(dirname(dirname(path)), "workspaceStorage");
  let listing: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    of: async ({ id, folder, workspace }) => {
      if (folder !== undefined) return folder;
      if (workspace !== undefined) return folderOfWorkspace(join(storage, basename(workspace)));
      listing ??= composersOfWorkspaces(storage);
      const lister = (await listing).get(id);
      return lister === undefined ? undefined : folderOfWorkspace(lister);
    },
  };
}

/** The folders of the workspaces that list conversations. */
async function composersOfWorkspaces(storage: string): Promise<ReadonlyMap<string, string>> {
  const listers = new Map<string, string>();
  const names = existsSync(storage) ? await readdir(storage) : [];
  for (const name of names) {
    const path = join(storage, name, "state.vscdb");
    if (!existsSync(path)) continue;
    await setImmediate();
    for (const id of await composersIn(path)) listers.set(id, dirname(path));
  }
  return listers;
}

const selectList = "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = 'composer.composerData'";

async function composersIn(path: string): Promise<readonly string[]> {
  try {
    const database = await readable(() => openForeignDatabase(path));
    try {
      const [row] = await readable(() => database.values(selectList));
      const { allComposers } = objectOf(jsonValue(row?.[0]));
      return listOf(allComposers).map((composer) => textOf(objectOf(composer).composerId));
    } finally {
      database.close();
    }
  } catch (error) {
    // Only where its conversations were held is unknown then.
    if (error instanceof UnreadableTranscript) return [];
    throw error;
  }
}
