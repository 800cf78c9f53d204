import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { isSensitive } from "../../paths/sensitive.ts";
import { isSystemError } from "../../system/is-system-error.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { mayLeadToHistory } from "./formats/editor-folders.ts";
import type { AgentDatabase } from "./sources/agent-database.ts";
import { chatTranscript, isChatSession } from "./sources/chat-session.ts";
import { clineTranscript, isClineMessages } from "./sources/cline-messages.ts";
import { isCursorDatabase, openCursorDatabase } from "./sources/cursor-database.ts";
import { isAgentDatabase, openAgentDatabase } from "./sources/opencode-database.ts";
import { isTaskConversation, taskTranscript } from "./sources/task-conversation.ts";
import { type Transcript, transcriptInFile, UnreadableTranscript } from "./transcript.ts";

const mostEntries = 10_000;
const mostBytes = 268_435_456;
const ending = ".jsonl";

export interface FileProblem {
  readonly path: string;
  readonly error: string;
}

export interface FoundTranscripts {
  /** Those to import, last changed first. */
  readonly transcripts: readonly Transcript[];
  readonly discovered: number;
  readonly truncated: boolean;
  readonly traversalCapped: boolean;
  readonly problems: readonly FileProblem[];
  /** Closes the databases that transcripts are in. */
  close(): void;
}

/**
 * The transcripts at paths: the file itself, or those in the folder, searched recursively without following links.
 * `known`: problems to be told with those that are found. Error: invalid_input.
 */
export async function findTranscripts(
  paths: readonly string[],
  maxFiles: number,
  known: readonly FileProblem[] = [],
): Promise<FoundTranscripts> {
  const walks: Walk[] = [];
  for (const path of paths) walks.push(await walkFrom(path));
  const files = [...new Set(walks.flatMap((walk) => walk.files))];
  const problems = [...known, ...walks.flatMap((walk) => walk.problems)];
  const transcripts: Transcript[] = [];
  const databases: AgentDatabase[] = [];
  for (const file of files) {
    try {
      const open = databaseOpener(file);
      if (open !== undefined) {
        const database = await open(file);
        databases.push(database);
        transcripts.push(...database.transcripts);
      } else transcripts.push(await fileAt(file));
    } catch (error) {
      problems.push(unreadableTranscript(file, error));
    }
  }
  transcripts.sort((left, right) => right.changedAt - left.changedAt || compareTexts(left.path, right.path));
  return {
    transcripts: transcripts.slice(0, maxFiles),
    discovered: files.filter((file) => databaseOpener(file) === undefined).length + transcriptsIn(databases),
    truncated: transcripts.length > maxFiles,
    traversalCapped: walks.some(({ capped }) => capped),
    problems,
    close: () => {
      for (const database of databases) database.close();
    },
  };
}

/** What opens a file that is the database of an agent; undefined for any other file. */
function databaseOpener(path: string): ((path: string) => Promise<AgentDatabase>) | undefined {
  if (isAgentDatabase(path)) return openAgentDatabase;
  return isCursorDatabase(path) ? openCursorDatabase : undefined;
}

function transcriptsIn(databases: readonly AgentDatabase[]): number {
  return databases.reduce((sum, { transcripts }) => sum + transcripts.length, 0);
}

async function fileAt(path: string): Promise<Transcript> {
  const { size, mtimeMs } = await stat(path);
  if (isClineMessages(path)) return clineTranscript(path, { size, changedAt: mtimeMs });
  if (isChatSession(path)) return chatTranscript(path, { size, changedAt: mtimeMs });
  if (isTaskConversation(path)) return taskTranscript(path, { size, changedAt: mtimeMs });
  if (size > mostBytes) throw new UnreadableTranscript("the file is larger than 256 MiB");
  return transcriptInFile(path, mtimeMs);
}

/**
 * The problem of a transcript that cannot be read, for instance because it was deleted meanwhile. Other errors,
 * such as a store that cannot be written, concern the whole import and are thrown.
 */
export function unreadableTranscript(path: string, error: unknown): FileProblem {
  if (error instanceof UnreadableTranscript) return { path, error: error.message };
  if (!isSystemError(error)) throw error;
  return { path, error: `it cannot be read: ${error.message}` };
}

interface Walk {
  readonly files: readonly string[];
  readonly problems: readonly FileProblem[];
  readonly capped: boolean;
}

async function walkFrom(path: string): Promise<Walk> {
  const named = await stat(path);
  return named.isDirectory() ? walkFolder(path) : onlyFile(path, named);
}

/** Only ordinary files: reading from a pipe or a device would block. */
function onlyFile(path: string, named: Stats): Walk {
  if (named.isFile() && isTranscript(path)) return { files: [path], problems: [], capped: false };
  throw new MemsvcError(
    "invalid_input",
    `${path} is neither a .jsonl file nor a folder, nor the session or database of another agent`,
    {
      issues: [
        {
          path: "path",
          message:
            "must be a .jsonl file, a conversation of Cline, Roo Code or Kilo Code (.messages.json, api_conversation_history.json), a chat of VS Code, a database of Cursor (globalStorage/state.vscdb), OpenCode or Kilo Code, or a folder",
        },
      ],
    },
  );
}

function isTranscript(path: string): boolean {
  return (
    path.toLowerCase().endsWith(ending) ||
    databaseOpener(path) !== undefined ||
    isClineMessages(path) ||
    isTaskConversation(path) ||
    isChatSession(path)
  );
}

/** Whether folders beside it hold copies of the files that the agent has changed. */
function keepsCopies(name: string): boolean {
  return isAgentDatabase(name) || isTaskConversation(name);
}

async function walkFolder(top: string): Promise<Walk> {
  const files: string[] = [];
  const problems: FileProblem[] = [];
  const folders = [top];
  let seen = 0;
  for (const folder of folders) {
    const entries = await entriesOf(folder, problems);
    const above = folder.split(sep).reverse();
    const beside = new Set(entries.map(({ name }) => name));
    const isWhole = entries.some((entry) => entry.isFile() && keepsCopies(entry.name));
    for (const entry of entries) {
      if (entry.isDirectory() && (isWhole || !mayLeadToHistory(entry.name, above, beside))) continue;
      seen += 1;
      if (seen > mostEntries) return { files, problems, capped: true };
      const path = join(folder, entry.name);
      const isFile = entry.isFile() && isTranscript(path);
      if (!isFile && !entry.isDirectory()) continue;
      if (isSensitive(entry.name))
        problems.push({ path, error: "it has a name that secrets are kept under" });
      else if (isFile) files.push(path);
      else folders.push(path);
    }
  }
  return { files, problems, capped: false };
}

async function entriesOf(folder: string, problems: FileProblem[]) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => compareTexts(left.name, right.name));
  } catch (error) {
    problems.push({ path: folder, error: `the folder cannot be read: ${String(error)}` });
    return [];
  }
}
