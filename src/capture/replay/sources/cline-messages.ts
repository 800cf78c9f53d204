import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { recordIn } from "../../observations/calls/json-text.ts";
import { textBeside } from "../formats/text-beside.ts";
import { type Transcript, UnreadableTranscript } from "../transcript.ts";
import { objectOf, parsedLine } from "../transcript-line.ts";

/*
 * Cline keeps a session in a folder of its name: `<session>.json` tells its folder, `<session>.messages.json` the
 * conversation as one JSON text, and so do further files for sub-agents and teammates. It is read as the lines of a
 * transcript: one that tells the session, and one for each message.
 */

const ending = ".messages.json";
/** It is held in memory as a whole. */
const mostBytes = 67_108_864;
const longestManifest = 1_048_576;

export function isClineMessages(path: string): boolean {
  return path.endsWith(ending);
}

export function clineTranscript(
  path: string,
  { size, changedAt }: { size: number; changedAt: number },
): Transcript {
  if (size > mostBytes) throw new UnreadableTranscript("the file is larger than 64 MiB");
  const session = basename(dirname(path));
  return { path, session, changedAt, lines: () => linesOf(path, session) };
}

async function* linesOf(path: string, session: string): AsyncGenerator<string> {
  const agentId = basename(path, ending);
  const manifest = recordIn(textBeside(join(dirname(path), `${session}.json`), longestManifest)) ?? {};
  // With these a survey need not read the conversation.
  const { cwd, started_at: timestamp } = manifest;
  yield JSON.stringify({
    ...{ type: "cline.session", sessionId: session, cwd, timestamp },
    ...(agentId === session ? {} : { agentId }),
  });
  const { messages } = parsedLine(await readFile(path, "utf8")) ?? {};
  if (!Array.isArray(messages))
    throw new UnreadableTranscript("it is no JSON object with a list of messages");
  for (const message of messages) yield JSON.stringify({ ...objectOf(message), type: "cline.message" });
}
