import { setImmediate } from "node:timers/promises";
import { isObject } from "../../../json/is-object.ts";
import { UnreadableTranscript } from "../transcript.ts";
import { type Fields, objectOf } from "../transcript-line.ts";
import type { Reader } from "./agent-database.ts";
import { jsonValue, listOf } from "./json-value.ts";

/* The lines of one conversation of Cursor: one that tells the session, and one for each bubble. */

export interface ComposerHead {
  readonly id: string;
  readonly status: unknown;
  /** Milliseconds since 1970. */
  readonly createdAt: unknown;
  readonly changedAt: number;
  readonly folder: string | undefined;
  /** The id of the workspace that was open. */
  readonly workspace: string | undefined;
  /** The conversation that started this sub-agent. */
  readonly parent: string | undefined;
}

interface ComposerSession extends ComposerHead {
  readonly session: string;
}

/** A bubble has dozens of fields, some with the context that a model was given. */
const bubbleFields = ["type", "text", "createdAt", "toolFormerData"] as const;
const longestBubble = 33_554_432;
const selectBubble = `SELECT iif(length(value) <= ${longestBubble} AND json_valid(value),
    json_extract(value, ${bubbleFields.map((field) => `'$.${field}'`).join()}), NULL), length(value)
  FROM (SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ?)`;

export async function* composerLines(
  read: Reader,
  composer: ComposerSession,
  folder: () => Promise<string | undefined>,
): AsyncGenerator<string | undefined> {
  const { id, session, createdAt } = composer;
  yield JSON.stringify({
    ...{ type: "cursor.composer", sessionId: session, createdAt, cwd: await folder() },
    ...(session === id ? {} : { agentId: id }),
  });
  const bubbles = await bubblesOf(read, composer);
  // The end of an answer that is being given is told when it has ended.
  const ended = composer.status === "generating" ? bubbles.slice(0, -1) : bubbles;
  for (const bubble of ended) {
    const { bubbleId } = bubble;
    // The driver reads while this thread waits.
    await setImmediate();
    if ("type" in bubble && ("text" in bubble || "toolFormerData" in bubble)) {
      yield lineOf(bubble);
      continue;
    }
    const [row] = await read.values(selectBubble, [`bubbleId:${id}:${bubbleId}`]);
    const [fields, length] = row ?? [];
    // Cursor deletes bubbles, and leaves their names.
    if (row === undefined || length === null) continue;
    const told = listOf(jsonValue(fields));
    yield told.length === 0
      ? undefined
      : lineOf({
          ...Object.fromEntries(bubbleFields.map((field, at) => [field, told[at] ?? undefined])),
          ...{ bubbleId, toldAt: bubble.createdAt },
        });
  }
}

function lineOf({ type, text, createdAt, toolFormerData, bubbleId, toldAt }: Fields): string {
  const { name, toolCallId, status, rawArgs, params, result, error, additionalData } =
    objectOf(toolFormerData);
  const call = { name, toolCallId, status, rawArgs, params, result, error, additionalData };
  return JSON.stringify({
    ...{ type: "cursor.bubble", bubbleId, by: type, text, createdAt: createdAt ?? toldAt },
    ...(isObject(toolFormerData) ? { call } : {}),
  });
}

const selectBubbles = `SELECT iif(json_valid(value), json_extract(value, '$.fullConversationHeadersOnly'), NULL),
    iif(json_valid(value), json_extract(value, '$.conversation'), NULL)
  FROM (SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key = ?)`;

/** The bubbles in their order: by name, or, in earlier versions, as a whole. */
async function bubblesOf(read: Reader, { id }: ComposerHead): Promise<readonly Fields[]> {
  const [row] = await read.values(selectBubbles, [`composerData:${id}`]);
  if (row === undefined) throw new UnreadableTranscript(`the conversation ${id} was deleted meanwhile`);
  const [headers, whole] = row.map((value) => listOf(jsonValue(value)).map(objectOf));
  return headers !== undefined && headers.length > 0 ? headers : (whole ?? []);
}
