import { transcriptFormats } from "./formats/transcript-formats.ts";
import { type Fields, parsedLine, type TranscriptLine, transcriptLine } from "./transcript-line.ts";

/** Reads the lines of one transcript, from its first one on, in the format of the agent that wrote it. */
export class TranscriptReader {
  readonly #path: string;
  /** Undefined for Claude Code, and until a line tells the format. */
  #translate: ((line: Fields) => readonly Fields[]) | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** A line in Claude Code's form; none if it is no part of the conversation. Undefined if it is no JSON object. */
  read(text: string): readonly TranscriptLine[] | undefined {
    const fields = parsedLine(text);
    if (fields === undefined) return undefined;
    this.#translate ??= transcriptFormats.find((format) => format.recognises(fields))?.translator(this.#path);
    const lines = this.#translate?.(fields) ?? [fields];
    return lines.map(transcriptLine);
  }
}
