import type { Fields } from "../transcript-line.ts";

/** How the transcripts of one agent are read. */
export interface TranscriptFormat {
  /** The name of the agent, as `memsvc connect` knows it. */
  readonly agent: string;
  /** Whether a transcript of this agent begins with this line. */
  readonly recognises: (line: Fields) => boolean;
  /**
   * A translator for the transcript at a path: gives each of its lines, in their order, as lines of Claude Code's form.
   * A line that is no part of the conversation gives none.
   */
  readonly translator: (path: string) => (line: Fields) => readonly Fields[];
}
