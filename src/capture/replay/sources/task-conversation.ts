import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { extensionIn } from "../formats/editor-folders.ts";
import { folderToldIn } from "../formats/task-text.ts";
import { textBeside } from "../formats/text-beside.ts";
import { type Transcript, UnreadableTranscript } from "../transcript.ts";
import { type Fields, objectOf } from "../transcript-line.ts";
import { jsonValue } from "./json-value.ts";

/*
 * Cline's extension for editors, and its offspring Roo Code and the older Kilo Code, keep each task in a folder of its
 * name: the conversation as one JSON text, what they showed of it, and, in the later versions, a file with what they
 * know about the task. It is read as the lines of a transcript: one that tells the task, and one for each message.
 */

const conversation = "api_conversation_history.json";
/** They are held in memory as a whole. */
const mostBytes = 67_108_864;
const longestIndex = 16_777_216;

export function isTaskConversation(path: string): boolean {
  return basename(path) === conversation;
}

export function taskTranscript(
  path: string,
  { size, changedAt }: { size: number; changedAt: number },
): Transcript {
  if (size > mostBytes) throw new UnreadableTranscript("the file is larger than 64 MiB");
  const task = basename(dirname(path));
  const known = knownTask(path, task);
  const session = sessionOf(known, task);
  const program = extensionIn(path);
  return { path, session, program, changedAt, lines: () => linesOf(path, task, known) };
}

/** A task that another one started belongs to the one that the user started. */
function sessionOf({ rootTaskId, parentTaskId }: Fields, task: string): string {
  return [rootTaskId, parentTaskId, task].find(isText) ?? task;
}

/** What the program knows about a task: in its folder, or in one list of all tasks. */
function knownTask(path: string, task: string): Fields {
  const folder = dirname(path);
  const own = jsonIn(join(folder, "history_item.json"));
  if (isObject(own)) return own;
  const listed = jsonIn(join(folder, "..", "..", "state", "taskHistory.json"));
  const inList = Array.isArray(listed) ? listed.map(objectOf).find(({ id }) => id === task) : undefined;
  return inList ?? {};
}

function jsonIn(path: string): unknown {
  return jsonValue(textBeside(path, longestIndex));
}

async function* linesOf(path: string, task: string, known: Fields): AsyncGenerator<string> {
  const { workspace, cwdOnTaskInitialization, shadowGitConfigWorkTree } = known;
  const toldFolder = [workspace, cwdOnTaskInitialization, shadowGitConfigWorkTree].find(isText);
  const sessionId = sessionOf(known, task);
  const head = {
    ...{ type: "cline-task.task", sessionId, startedAt: startOf(task) },
    ...(sessionId === task ? {} : { agentId: task }),
  };
  // With the folder a survey may not need the conversation.
  if (toldFolder !== undefined) yield JSON.stringify({ ...head, cwd: toldFolder });
  const messages = messagesIn(await readFile(path, "utf8"));
  if (toldFolder === undefined) yield JSON.stringify({ ...head, cwd: folderToldIn(messages) });
  const shown = messages.every(({ ts }) => typeof ts === "number") ? [] : shownTimes(path);
  for (const [at, message] of messages.entries()) {
    const ts = message.ts ?? shown[at];
    yield JSON.stringify({ ...message, type: "cline-task.message", ts, key: keyOf(message, at) });
  }
}

/** Cline names a task after the time when it began. */
function startOf(task: string): number | undefined {
  return /^\d{13}$/.test(task) ? Number(task) : undefined;
}

function messagesIn(text: string): readonly Fields[] {
  const read = jsonValue(text);
  const list = isObject(read) ? read.messages : read;
  if (Array.isArray(list)) return list.map(objectOf);
  throw new UnreadableTranscript("it is no JSON list of messages");
}

/**
 * When messages without a time were sent: what was shown names the message before it. The first thing shown after a
 * message was shown when the next one began.
 */
function shownTimes(path: string): readonly (number | undefined)[] {
  const shown = jsonValue(textBeside(join(dirname(path), "ui_messages.json"), mostBytes));
  const times: (number | undefined)[] = [];
  for (const { ts, conversationHistoryIndex: before } of Array.isArray(shown) ? shown.map(objectOf) : []) {
    if (typeof ts !== "number" || !Number.isInteger(before) || Number(before) < -1) continue;
    times[Number(before) + 1] ??= ts;
  }
  return times;
}

/**
 * The same for the same message, whenever it is read: its time, or else its place, where another message may come after
 * the user has gone back to an earlier one.
 */
function keyOf({ role, ts, content }: Fields, at: number): string {
  const place = typeof ts === "number" ? String(ts) : `#${at}`;
  const hash = createHash("sha256")
    .update(JSON.stringify([role, content ?? null]))
    .digest("hex");
  return `${place}:${hash.slice(0, 16)}`;
}
