/*
 * How messages follow each other on a stream: one a line, or each behind a `Content-Length` header, as in the language
 * server protocol. Both are understood, and an answer comes in the form of its message.
 */

export type Framing = "lines" | "headers";

export interface FramedText {
  readonly framing: Framing;
  readonly text: string;
}

const headerStart = "content-length:";
const newline = 0x0a;

/** A text as it goes out. */
export function framed({ framing, text }: FramedText): string {
  return framing === "lines" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Takes bytes as they arrive and gives the texts of whole messages. */
export class MessageReader {
  #waiting: Buffer = Buffer.alloc(0);

  take(bytes: Uint8Array): FramedText[] {
    this.#waiting = this.#waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#waiting, bytes]);
    const found: FramedText[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (next.text.trim() !== "") found.push(next);
    }
    return found;
  }

  /** What is left when the stream has ended: a last line needs no end. */
  end(): FramedText[] {
    const text = this.#waiting.toString();
    this.#waiting = Buffer.alloc(0);
    return text.trim() === "" ? [] : [{ framing: "lines", text }];
  }

  #next(): FramedText | undefined {
    const start = this.#waiting.toString("latin1", 0, headerStart.length).toLowerCase();
    if (start === headerStart) return this.#nextWithHeader();
    // So far it may become either.
    if (headerStart.startsWith(start) && start.length < headerStart.length && !start.includes("\n"))
      return undefined;
    const end = this.#waiting.indexOf(newline);
    return end < 0 ? undefined : { framing: "lines", text: this.#cut(end, end + 1) };
  }

  #nextWithHeader(): FramedText | undefined {
    const found = /^([\s\S]*?)\r?\n\r?\n/u.exec(this.#waiting.toString("latin1", 0, 4_096));
    if (found === null) return undefined;
    const length = Number(/^content-length:\s*(\d+)/iu.exec(found[0])?.[1] ?? "0");
    const begin = found[0].length;
    if (this.#waiting.length < begin + length) return undefined;
    this.#waiting = this.#waiting.subarray(begin);
    return { framing: "headers", text: this.#cut(length, length) };
  }

  /** The text up to a place; what is behind another one goes on waiting. */
  #cut(end: number, next: number): string {
    const text = this.#waiting.toString("utf8", 0, end);
    this.#waiting = this.#waiting.subarray(next);
    return text;
  }
}
