/*
 * How messages follow each other on a stream: one a line, or each behind headers that tell its length, as in the
 * language server protocol. Both are understood, and an answer comes in the form of its message.
 */

export type Framing = "lines" | "headers";

export interface FramedText {
  readonly framing: Framing;
  readonly text: string;
}

/** No JSON text begins like this. */
const headerStart = "content-";
const longestHeaders = 4_096;
const newline = 0x0a;
/** Programs that write UTF-8 "with signature" begin their stream with it. */
const byteOrderMark = Buffer.from("\uFEFF");

/** A text as it goes out. */
export function frameMessage({ framing, text }: FramedText): string {
  return framing === "lines" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Takes bytes as they arrive and gives the texts of whole messages. */
export class MessageReader {
  #waiting: Buffer = Buffer.alloc(0);
  /** What came behind that; long messages come in many pieces, which are joined when the message may be whole. */
  #pieces: Uint8Array[] = [];
  /** Bytes without which no message is whole; without a number it takes the end of a line. */
  #needed: number | undefined;
  #isBegun = false;

  take(bytes: Uint8Array): FramedText[] {
    this.#pieces.push(bytes);
    if (!this.#mayBeWhole(bytes)) return [];
    this.#joinPieces();
    const found: FramedText[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.text.trim() !== "") found.push(next);
    }
    return found;
  }

  /** What is left when the stream has ended: a last line needs no end. */
  end(): FramedText[] {
    this.#joinPieces();
    const text = this.#cut(this.#waiting.length, this.#waiting.length);
    return text.trim() === "" ? [] : [{ framing: "lines", text }];
  }

  #joinPieces(): void {
    this.#waiting = Buffer.concat([this.#waiting, ...this.#pieces]);
    this.#pieces = [];
    if (!this.#isBegun && this.#waiting.subarray(0, byteOrderMark.length).equals(byteOrderMark))
      this.#waiting = this.#waiting.subarray(byteOrderMark.length);
    this.#isBegun = true;
  }

  #mayBeWhole(newest: Uint8Array): boolean {
    if (this.#needed === undefined) return newest.includes(newline);
    return this.#pieces.reduce((sum, piece) => sum + piece.byteLength, this.#waiting.length) >= this.#needed;
  }

  #next(): FramedText | undefined {
    this.#needed = undefined;
    const start = this.#waiting.toString("latin1", 0, headerStart.length).toLowerCase();
    return start === headerStart ? this.#nextWithHeaders() : this.#nextLine();
  }

  #nextLine(): FramedText | undefined {
    const end = this.#waiting.indexOf(newline);
    return end < 0 ? undefined : { framing: "lines", text: this.#cut(end, end + 1) };
  }

  #nextWithHeaders(): FramedText | undefined {
    const headers = /^[\s\S]*?\r?\n\r?\n/u.exec(this.#waiting.toString("latin1", 0, longestHeaders))?.[0];
    if (headers === undefined) return this.#waiting.length < longestHeaders ? undefined : this.#nextLine();
    const length = /^content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?$/imu.exec(headers)?.[1];
    // Headers without a length are no message, and whoever reads them as one says so.
    if (length === undefined) return { framing: "lines", text: this.#cut(headers.length, headers.length) };
    const end = headers.length + Number(length);
    if (this.#waiting.length < end) {
      this.#needed = end;
      return undefined;
    }
    this.#waiting = this.#waiting.subarray(headers.length);
    return { framing: "headers", text: this.#cut(end - headers.length, end - headers.length) };
  }

  /** The text up to a place; what is behind another one goes on waiting. */
  #cut(end: number, next: number): string {
    const text = this.#waiting.toString("utf8", 0, end);
    this.#waiting = this.#waiting.subarray(next);
    return text;
  }
}
