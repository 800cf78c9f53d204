import { sessionInName } from "./session-in-name.ts";
import { textLines } from "./text-lines.ts";

/** A conversation to import: a file, or a session in the database of an agent. */
export interface Transcript {
  readonly path: string;
  /** The session that it is named after. */
  readonly session: string;
  /** The program that kept it, if several use its format. */
  readonly program?: string | undefined;
  /** Milliseconds since 1970, UTC. */
  readonly changedAt: number;
  /**
   * Its lines, read bit by bit, so that its length does not matter. A line that is too long is given as undefined.
   * `onBytes` is called with every chunk. Errors: those of the file system, UnreadableTranscript.
   */
  lines(onBytes?: (bytes: Uint8Array) => void): AsyncIterable<string | undefined>;
}

/** A transcript cannot be read, through no fault of the store's. */
export class UnreadableTranscript extends Error {}

export function transcriptInFile(path: string, changedAt: number): Transcript {
  return { path, session: sessionInName(path), changedAt, lines: (onBytes) => textLines(path, onBytes) };
}
