import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { blocksOf } from "../formats/blocks.ts";
import { textBeside } from "../formats/text-beside.ts";
import { textLines } from "../text-lines.ts";
import { type Transcript, UnreadableTranscript } from "../transcript.ts";
import { objectOf } from "../transcript-line.ts";
import { plainRequest } from "./chat-request.ts";
import { jsonValue } from "./json-value.ts";
import { afterEntry } from "./mutation-log.ts";

/*
 * VS Code keeps each chat, with Copilot or another participant, in a file: as JSON, or as a log of changes (`.jsonl`).
 * The folder that was open is told by a file beside the folder of chats. A chat is read as the lines of a transcript:
 * one that tells the session, and one for each request.
 */

const folders: ReadonlySet<string> = new Set(["chatSessions", "emptyWindowChatSessions"]);
const fileName = /\.jsonl?$/;
/** A chat that is one JSON text is held in memory twice. */
const mostBytes = 67_108_864;
const mostLogBytes = 268_435_456;
const longestBeside = 1_048_576;

export function isChatSession(path: string): boolean {
  return fileName.test(path) && folders.has(basename(dirname(path)));
}

export function chatTranscript(
  path: string,
  { size, changedAt }: { size: number; changedAt: number },
): Transcript {
  const isLog = path.endsWith("l");
  if (size > (isLog ? mostLogBytes : mostBytes))
    throw new UnreadableTranscript(`the file is larger than ${isLog ? 256 : 64} MiB`);
  const session = basename(path).replace(fileName, "");
  return { path, session, changedAt, lines: () => linesOf(path, session, isLog) };
}

async function* linesOf(path: string, session: string, isLog: boolean): AsyncGenerator<string> {
  const chat = objectOf(isLog ? await loggedChat(path) : jsonValue(await readFile(path, "utf8")));
  const { sessionId = session, creationDate, requests } = chat;
  if (!Array.isArray(requests)) throw new UnreadableTranscript("it is no chat with a list of requests");
  yield JSON.stringify({
    type: "vscode-chat.session",
    sessionId,
    cwd: folderOfWorkspace(dirname(dirname(path))),
    creationDate,
  });
  const asked = blocksOf(requests);
  for (const [at, request] of asked.entries()) {
    const plain = plainRequest(request);
    // What follows an answer shows that it has ended.
    const isEnded = plain.isEnded === true || at < asked.length - 1;
    yield JSON.stringify({ ...plain, type: "vscode-chat.request", isEnded });
  }
}

async function loggedChat(path: string): Promise<unknown> {
  let chat: unknown;
  for await (const line of textLines(path)) {
    if (line === undefined) throw new UnreadableTranscript("a line of it is longer than 32 MiB");
    const entry = line.trim() === "" ? undefined : jsonValue(line);
    // The last line of a chat that is being written may be incomplete.
    if (isObject(entry)) chat = afterEntry(chat, entry);
  }
  return chat;
}

/** The folder that was open in a workspace; of several, the first one. Undefined for a window without one. */
export function folderOfWorkspace(storage: string): string | undefined {
  const told = jsonValue(textBeside(join(storage, "workspace.json"), longestBeside));
  const { folder, workspace, configuration } = objectOf(told);
  if (isText(folder)) return pathOf(folder);
  const file = [workspace, configuration].filter(isText).map(pathOf).find(isText);
  if (file === undefined) return undefined;
  const { folders: listed } = objectOf(jsonValue(textBeside(file, longestBeside)));
  return resolve(dirname(file), String(blocksOf(listed)[0]?.path ?? "."));
}

/** The path in a URI; of a remote folder, its path there. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : decodeURIComponent(new URL(uri).pathname);
  } catch {
    return undefined;
  }
}
