import { dirname } from "node:path";
import { projectNameOf } from "../../paths/project-folder.ts";
import { base32Digits } from "../../store/ids.ts";
import type { Transcript } from "./transcript.ts";
import { TranscriptReader } from "./transcript-reader.ts";

/** What is known about a transcript as a whole. */
export interface TranscriptSurvey {
  readonly sessionId: string;
  readonly cwd: string;
  readonly project: string;
  /** The name of the program that wrote it. */
  readonly program: string;
  /** Time of the first line that has one, else that of its last change. */
  readonly startedAt: number;
}

const idLength = 26;

/** Reads a transcript until its session, folder and time are known, which mostly are in the first lines. */
export async function surveyTranscript(transcript: Transcript): Promise<TranscriptSurvey> {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  const reader = new TranscriptReader(transcript.path);
  let sessionId: string | undefined;
  let cwd: string | undefined;
  let startedAt: number | undefined;
  for await (const text of transcript.lines((bytes) => hash.update(bytes))) {
    for (const line of (text === undefined ? undefined : reader.read(text)) ?? []) {
      sessionId ??= line.sessionId;
      cwd ??= line.cwd;
      startedAt ??= line.timestamp;
    }
    if (sessionId !== undefined && cwd !== undefined && startedAt !== undefined) break;
  }
  const folder = cwd ?? dirname(transcript.path);
  return {
    sessionId: sessionId ?? idOfContent(hash.digest()),
    cwd: folder,
    project: projectNameOf(folder),
    program: transcript.program ?? reader.agent,
    startedAt: startedAt ?? Math.floor(transcript.changedAt),
  };
}

/** Derives the session id from the content, so that importing the same file again adds nothing. */
function idOfContent(digest: Uint8Array): string {
  return `ses_${[...digest.subarray(0, idLength)].map((byte) => base32Digits[byte % 32]).join("")}`;
}
