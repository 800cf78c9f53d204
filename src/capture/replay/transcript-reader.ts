import { transcriptFormats } from "./formats/transcript-formats.ts";
import { type Fields, parsedLine, type TranscriptLine, transcriptLine } from "./transcript-line.ts";

/** Reads the lines of one transcript, from its first one on, in the format of the agent that wrote it. */
export class TranscriptReader {
  readonly #path: string;
  /** The agent that wrote it, once a line has told its format. */
  agent = "claude-code";
  /** Undefined for Claude Code, and until a line tells the format. */
  #translate: ((line: Fields) => readonly Fields[]) | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** A line in Claude Code's form; none if it is no part of the conversation. Undefined if it is no JSON object. */
  read(text: string): readonly TranscriptLine[] | undefined {
    const fields = parsedLine(text);
    if (fields === undefined) return undefined;
    if (this.#translate === undefined) this.#recognise(fields);
    const lines = this.#translate?.(fields) ?? [fields];
    return lines.map(transcriptLine);
  }

  #recognise(line: Fields): void {
    const format = transcriptFormats.find(({ recognises }) => recognises(line));
    if (format === undefined) return;
    this.agent = format.agent;
    this.#translate = format.translator(this.#path);
  }
}
