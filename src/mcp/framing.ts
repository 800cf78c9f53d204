/*
 * How messages are separated on a stream: one per line, or each after headers with its length, as in the language
 * server protocol. Both are read, and each answer uses the framing of its request.
 */

type Framing = "lines" | "headers";

export interface FramedText {
  readonly framing: Framing;
  readonly text: string;
}

/** Start of a header block, which no JSON text can have. */
const headerStart = "content-";
const longestHeaders = 4_096;
const newline = 0x0a;
/** Some programs write a byte order mark at the beginning of their stream. */
const byteOrderMark = Buffer.from("\uFEFF");

export function frameMessage({ framing, text }: FramedText): string {
  return framing === "lines" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Takes bytes as they arrive and returns the texts of complete messages. */
export class MessageReader {
  #waiting: Buffer = Buffer.alloc(0);
  /**
   * Bytes that came after `#waiting`. They are joined only when the message may be complete, since a long one comes in
   * many pieces.
   */
  #pieces: Uint8Array[] = [];
  /** How many bytes the next message needs to be complete; undefined when it ends at the next newline. */
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

  /** The rest when the stream has ended: the last line may lack its newline. */
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
    // Headers without a length: passed on as a message, which the reader will refuse as invalid.
    if (length === undefined) return { framing: "lines", text: this.#cut(headers.length, headers.length) };
    const end = headers.length + Number(length);
    if (this.#waiting.length < end) {
      this.#needed = end;
      return undefined;
    }
    this.#waiting = this.#waiting.subarray(headers.length);
    return { framing: "headers", text: this.#cut(end - headers.length, end - headers.length) };
  }

  /** Takes the text before `end` out of `#waiting`; what remains begins at `next`. */
  #cut(end: number, next: number): string {
    const text = this.#waiting.toString("utf8", 0, end);
    this.#waiting = this.#waiting.subarray(next);
    return text;
  }
}
